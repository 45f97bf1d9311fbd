"""Operations on simulated states: what each answers, that a refused request changes nothing, and determinism."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
import pytest_asyncio
from google.protobuf.any_pb2 import Any as AnyMessage

from cext.playout import playouts
from cext.random import Rng
from cext.state import State
from gamepacks.api.bots import tree_search
from gamepacks.api.game import Game
from gamepacks.api.registry import Registry
from gamepacks.api.types import OMNISCIENT, Viewer
from omnilude.v1 import simulation_service_pb2 as pb
from tests.support.games import faulty, kuhn, sealed, stuck
from tests.support.server import Running, running_server
from tests.support.simulation import Stream, game_source, lists, operation

PACKS = [kuhn.PACK, sealed.PACK, faulty.PACK, stuck.PACK]

SETTINGS = {"limits.simulation_request_s": 3, "limits.simulation_streams_per_client": 1_000}


@pytest_asyncio.fixture(scope="module", loop_scope="module", name="running")
async def fixture_running() -> AsyncIterator[Running]:
    async with running_server(packs=PACKS, only=["ominoes"], settings=SETTINGS) as running:
        yield running


pytestmark = pytest.mark.asyncio(loop_scope="module")


def game(name: str, players: int = 2) -> Game[Any]:
    return Registry.load(only=["ominoes"], extra=PACKS, strict=True).game(name).configure(players)


def deal(state: State, *cards: int) -> State:
    for card in cards:
        state.apply(kuhn.DEAL(card))
    return state


async def kuhn_stream(running: Running, *cards: int) -> Stream:
    """Returns a stream whose state 1 is Kuhn's poker with these cards."""
    stream = Stream(running)
    apply = pb.ApplySteps(handles=[1] * len(cards), codes=[kuhn.DEAL(card) for card in cards])
    await stream.done(operation(apply=apply), opens=[game_source(1, "kuhn")])
    return stream


async def test_opened_state_has_game_players_and_options(running: Running) -> None:
    stream = Stream(running)
    response = await stream.ask(opens=[game_source(7, "kuhn", 3, option_texts={"ranks": "5"})])
    (opened,) = response.opened
    assert (opened.game, opened.players, opened.seat, opened.seq) == ("games/kuhn", 3, -1, 0)
    options = kuhn.messages.Options()
    assert opened.options.Unpack(options) and options.ranks == 5


async def test_position_is_opened(running: Running) -> None:
    stream = Stream(running)
    state = deal(game("kuhn").initial_state(), 2, 0)
    source = game_source(1, "kuhn")
    source.game.position.Pack(state.game.position(state))
    await stream.done(opens=[source])
    expected = state.game.view(state, OMNISCIENT).SerializeToString(deterministic=True)
    (view,) = (await stream.done(operation(observe=pb.ObserveStates(handles=[1], viewers=[-2]))))[0].views
    assert view.value == expected and view.TypeName() == kuhn.messages.View.DESCRIPTOR.full_name


async def test_outcomes_legal_actions_and_summaries_are_those_of_the_rules(running: Running) -> None:
    stream = Stream(running)
    clone = operation(clone=pb.CloneStates(sources=[1], targets=[2]))
    dealt = operation(apply=pb.ApplySteps(handles=[2, 2], codes=[kuhn.DEAL(3), kuhn.DEAL(0)]))
    outcomes, legal, summaries = (
        await stream.done(
            clone,
            dealt,
            operation(outcomes=pb.ListOutcomes(handles=[1, 2])),
            operation(legal=pb.ListLegal(handles=[1, 2])),
            operation(summarize=pb.SummarizeStates(handles=[1, 2])),
            opens=[game_source(1, "kuhn")],
        )
    )[2:]
    assert lists(outcomes.offsets, outcomes.codes) == [[kuhn.DEAL(card) for card in range(4)], []]
    assert list(outcomes.weights) == [1] * 4
    assert lists(legal.offsets, legal.codes) == [[], [kuhn.CHECK(), kuhn.BET()]]
    assert list(summaries.actors) == [-1, 0] and list(summaries.seats_to_act) == [0, 1]
    await stream.done(operation(apply=pb.ApplySteps(handles=[2, 2], codes=[kuhn.CHECK(), kuhn.CHECK()])))
    (after,) = await stream.done(operation(summarize=pb.SummarizeStates(handles=[2])))
    assert list(after.actors) == [-3] and list(after.returns) == [0.5, -0.5]


async def test_simultaneous_decisions_name_their_seats(running: Running) -> None:
    stream = Stream(running)
    (found,) = await stream.done(
        operation(legal=pb.ListLegal(handles=[1, 1], seats=[0, 1])), opens=[game_source(1, "sealed")]
    )
    state = game("sealed").initial_state()
    assert lists(found.offsets, found.codes) == [state.legal(0), state.legal(1)]
    codes = [found.codes[1], found.codes[-1]]
    await stream.done(operation(apply=pb.ApplySteps(handles=[1, 1], codes=codes, seats=[0, 1])))
    for seat, code in enumerate(codes):
        state.apply(code, seat)
    expected = state.game.view(state, OMNISCIENT).SerializeToString(deterministic=True)
    assert expected in (await stream.views(-2, 1))[0]
    assert (await stream.refused(operation(apply=pb.ApplySteps(handles=[1], codes=codes[:1]))))[0] == "ILLEGAL_ACTION"


async def test_draws_depend_on_the_seed_only(running: Running) -> None:
    stream, other = Stream(running), Stream(running)
    opens = [game_source(handle, "ominoes") for handle in (1, 2)]
    draws = []
    for each, seed in ((stream, 5), (other, 5), (stream, 6)):
        (drawn,) = await each.done(operation(draw=pb.DrawOutcomes(handles=[1, 2, 1], seed=seed)), opens=opens)
        draws.append(lists(drawn.offsets, drawn.codes))
        assert [len(codes) > 0 for codes in draws[-1]] == [True, True, False], (
            "nothing is left to draw for a third time"
        )
    assert draws[0] == draws[1] and draws[0] != draws[2]
    state = game("ominoes").initial_state()
    for code in draws[2][0]:
        state.apply(code)
    assert await stream.legal(1) == [state.legal()]


async def test_play_outs_equal_those_in_process(running: Running) -> None:
    stream = Stream(running)
    play_out = operation(play_out=pb.PlayOut(handles=[1, 1], count=20, seed=9))
    (found,) = await stream.done(play_out, opens=[game_source(1, "ominoes")])
    rng = Rng(9)
    means: list[float] = []
    for plies in found.plies:
        sums, expected = playouts(game("ominoes").initial_state(), rng.fork(), 20)
        assert plies == expected
        means += [value / 20 for value in sums]
    assert list(found.counts) == [20, 20] and list(found.mean_returns) == pytest.approx(means)


async def test_tree_search_equals_that_in_process(running: Running) -> None:
    stream = await kuhn_stream(running, 3, 0)
    search = operation(search=pb.SearchStates(handles=[1], iterations=300, seed=4))
    (found,) = await stream.done(search)
    state = deal(game("kuhn").initial_state(), 3, 0)
    tree = tree_search(state.game)
    tree.run(state, 0, Rng(4).fork(), iterations=300)
    assert list(zip(found.codes, found.visits, found.mean_returns, strict=True)) == tree.ranking(0)
    assert list(zip(found.line_seats, found.line_codes, strict=True)) == tree.principal_line()
    assert list(found.seats) == [0] and sum(found.visits) == 300


async def test_flat_search_ranks_the_actions(running: Running) -> None:
    stream = await kuhn_stream(running, 3, 0)
    search = pb.SearchStates(handles=[1], iterations=400, seed=4, algorithm=pb.SEARCH_ALGORITHM_FLAT)
    (found,) = await stream.done(operation(search=search))
    assert sorted(found.codes) == sorted([kuhn.CHECK(), kuhn.BET()])
    assert list(found.line_codes) == [found.codes[0]] and sum(found.visits) >= 400


async def test_search_by_time_ends_in_time(running: Running) -> None:
    stream = await kuhn_stream(running, 3, 0)
    (found,) = await stream.done(operation(search=pb.SearchStates(handles=[1], milliseconds=20)))
    assert found.codes and sum(found.visits) > 0


async def test_resampled_copies_keep_what_the_viewer_knows(running: Running) -> None:
    stream = await kuhn_stream(running, 1, 0)
    copies = list(range(10, 40))
    clone = pb.CloneStates(sources=[1] * 30, targets=copies, viewer=0, seed=3)
    await stream.done(operation(clone=clone))
    assert len({*await stream.views(0, 1, *copies)}) == 1
    cards = set()
    for data in await stream.views(-2, *copies):
        view = kuhn.messages.View()
        packed = AnyMessage.FromString(data).Unpack(view)
        assert packed and view.cards[0] == 1
        cards.add(view.cards[1])
    assert cards == {0, 2, 3}


async def test_equal_information_states_give_equal_resampled_copies(running: Running) -> None:
    """Noninterference: a copy for seat 0 does not depend on the card of seat 1."""
    worlds = []
    for theirs in (0, 2, 3):
        stream = await kuhn_stream(running, 1, theirs)
        clone = pb.CloneStates(sources=[1] * 8, targets=range(10, 18), viewer=0, seed=3)
        await stream.done(operation(clone=clone))
        worlds.append(await stream.views(-2, *range(10, 18)))
    assert worlds[0] == worlds[1] == worlds[2]


BAD = [
    (operation(), "INVALID_FIELD", "operations[1]"),
    (operation(legal=pb.ListLegal(handles=[1, 9])), "UNKNOWN_HANDLE", "operations[1].legal.handles[1]"),
    (operation(legal=pb.ListLegal(handles=[1], seats=[0, 1])), "INVALID_FIELD", "operations[1].legal"),
    (operation(legal=pb.ListLegal(handles=[1], seats=[2])), "INVALID_FIELD", "operations[1].legal.seats[0]"),
    (operation(legal=pb.ListLegal(handles=[1], seats=[40])), "INVALID_FIELD", "operations[1].legal.seats[0]"),
    (operation(apply=pb.ApplySteps(handles=[1], codes=[])), "INVALID_FIELD", "operations[1].apply"),
    (operation(apply=pb.ApplySteps(handles=[1], codes=[-5])), "ILLEGAL_ACTION", "operations[1].apply.codes[0]"),
    (
        operation(apply=pb.ApplySteps(handles=[1, 1], codes=[kuhn.BET(), kuhn.CHECK()])),
        "ILLEGAL_ACTION",
        "operations[1].apply.codes[1]",
    ),
    (
        operation(apply=pb.ApplySteps(handles=[1], codes=[kuhn.BET()], seats=[-2])),
        "INVALID_FIELD",
        "operations[1].apply.seats[0]",
    ),
    (
        operation(apply=pb.ApplySteps(handles=[1], codes=[kuhn.BET()], seats=[1])),
        "ILLEGAL_ACTION",
        "operations[1].apply.codes[0]",
    ),
    (operation(clone=pb.CloneStates(sources=[1], targets=[])), "INVALID_FIELD", "operations[1].clone"),
    (operation(clone=pb.CloneStates(sources=[9], targets=[2])), "UNKNOWN_HANDLE", "operations[1].clone.sources[0]"),
    (
        operation(clone=pb.CloneStates(sources=[1], targets=[2], viewer=-2)),
        "INVALID_FIELD",
        "operations[1].clone.viewer",
    ),
    (
        operation(observe=pb.ObserveStates(handles=[1], viewers=[2])),
        "INVALID_FIELD",
        "operations[1].observe.viewers[0]",
    ),
    (operation(play_out=pb.PlayOut(handles=[1])), "INVALID_FIELD", "operations[1].play_out.count"),
    (operation(search=pb.SearchStates(handles=[1])), "INVALID_FIELD", "operations[1].search"),
    (
        operation(search=pb.SearchStates(handles=[1], iterations=1, algorithm=7)),  # type: ignore[arg-type]
        "INVALID_FIELD",
        "operations[1].search.algorithm",
    ),
    (
        operation(search=pb.SearchStates(handles=[1], seats=[1], iterations=1)),
        "NOT_YOUR_TURN",
        "operations[1].search.handles[0]",
    ),
    (operation(release=pb.ReleaseStates(handles=[1, 9])), "UNKNOWN_HANDLE", "operations[1].release.handles[1]"),
    (operation(draw=pb.DrawOutcomes(handles=[9])), "UNKNOWN_HANDLE", "operations[1].draw.handles[0]"),
    (
        operation(search=pb.SearchStates(handles=[1], iterations=4_000_000_000)),
        "LIMIT_REACHED",
        "operations[1].search",
    ),
    (operation(play_out=pb.PlayOut(handles=[1], count=4_000_000_000)), "LIMIT_REACHED", "operations[1].play_out"),
]


@pytest.mark.parametrize(("bad", "reason", "field"), BAD)
async def test_invalid_input_changes_nothing_and_names_the_field(
    running: Running, bad: pb.SimulationOperation, reason: str, field: str
) -> None:
    stream = await kuhn_stream(running, 3, 0)
    before = await stream.views(-2, 1)
    # A bet and a copy that would be there if a part of the request had been done.
    good = operation(clone=pb.CloneStates(sources=[1], targets=[5]))
    found = await stream.refused(good, bad)
    assert found[:2] == (reason, field)
    assert await stream.views(-2, 1) == before
    assert (await stream.refused(operation(legal=pb.ListLegal(handles=[5]))))[0] == "UNKNOWN_HANDLE"


async def test_steps_before_a_refused_one_are_undone(running: Running) -> None:
    stream = await kuhn_stream(running, 3, 0)
    before = await stream.views(-2, 1)
    bet = operation(apply=pb.ApplySteps(handles=[1], codes=[kuhn.BET()]))
    reason, _, error = await stream.refused(bet, bet)
    assert reason == "ILLEGAL_ACTION" and error.pack_reason == "NO_SUCH_MOVE" and error.metadata["code"]
    assert await stream.views(-2, 1) == before
    await stream.done(bet)


async def test_released_states_are_deleted_and_their_handles_are_free(running: Running) -> None:
    stream = await kuhn_stream(running, 3, 0)
    clone = operation(clone=pb.CloneStates(sources=[1, 1], targets=[2, 3]))
    await stream.done(clone, operation(release=pb.ReleaseStates(handles=[1, 2])))
    assert await stream.legal(3) == [[kuhn.CHECK(), kuhn.BET()]]
    assert (await stream.refused(operation(legal=pb.ListLegal(handles=[2]))))[0] == "UNKNOWN_HANDLE"
    await stream.done(operation(clone=pb.CloneStates(sources=[3], targets=[1])))
    assert await stream.legal(1) == await stream.legal(3)


async def test_fault_of_a_pack_is_refused_with_an_incident(running: Running, caplog: pytest.LogCaptureFixture) -> None:
    stream = Stream(running)
    bomb = operation(apply=pb.ApplySteps(handles=[1], codes=[sealed.BID(faulty.BOMB)], seats=[0]))
    reason, _, error = await stream.refused(bomb, opens=[game_source(1, "faulty")])
    assert reason == "PACK_FAULT" and error.metadata["incident"] in caplog.text
    assert "ZeroDivisionError at tests.support.games.faulty" in caplog.text
    assert faulty.LEAKING_TEXT not in caplog.text + str(error)
    assert (await stream.refused(operation(legal=pb.ListLegal(handles=[1]))))[0] == "UNKNOWN_HANDLE"


async def test_open_states_of_different_games_are_held_side_by_side(running: Running) -> None:
    stream = Stream(running)
    await stream.done(opens=[game_source(1, "kuhn"), game_source(2, "ominoes", 3), game_source(3, "sealed")])
    (summaries,) = await stream.done(operation(summarize=pb.SummarizeStates(handles=[1, 2, 3])))
    assert len(summaries.returns) == 2 + 3 + 2


@pytest.mark.parametrize("name", ["kuhn", "sealed"])
async def test_views_are_those_of_each_viewer(running: Running, name: str) -> None:
    stream = Stream(running)
    await stream.done(operation(draw=pb.DrawOutcomes(handles=[1], seed=2)), opens=[game_source(1, name)])
    table = game(name)
    state = table.initial_state()
    rng = Rng(2)
    while chance := state.chance():
        state.apply(rng.weighted(chance))
    for viewer in (-2, -1, 0, 1):
        (view,) = (await stream.done(operation(observe=pb.ObserveStates(handles=[1], viewers=[viewer]))))[0].views
        assert view.value == table.view(state, Viewer(viewer)).SerializeToString(deterministic=True)
