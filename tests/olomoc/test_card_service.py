"""CardService: it names every card and effect that messages give by number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from gamepacks import olomoc
from gamepacks.api import Viewer, VisibleState
from gamepacks.api.services import calls_of
from gamepacks.api.types import OMNISCIENT, SPECTATOR, Code, Seat
from gamepacks.olomoc import CardService, Olomoc
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.v1 import cards_pb2 as pb
from gamepacks.olomoc.v1 import olomoc_pb2
from gamepacks.olomoc.v1.olomoc_enums import Decision
from omnilude.v1 import match_service_pb2
from tests.olomoc.cardsets import Raw, active, card
from tests.olomoc.in_play import steps, view_of
from tests.olomoc.scenes import Rouage, happens, scene, specific, use
from tests.support.server import running_server
from tests.support.wire import new_match

(CALL,) = calls_of(CardService())


def cards(state: OlomocState, viewer: Viewer = OMNISCIENT) -> pb.GetCardsResponse:
    answer = CALL.answer(pb.GetCardsRequest(), VisibleState("matches/m", 17, state.game, state, viewer))
    assert isinstance(answer, pb.GetCardsResponse)
    return answer


def by_number(capacities: Sequence[olomoc_pb2.CapacityInfo]) -> dict[int, tuple[Any, ...]]:
    return {part.number: (part.name, part.text, part.active, part.ap, part.noirceur) for part in capacities}


def test_lists_are_by_index() -> None:
    displayed = cards(Olomoc.configure(2).initial_state())  # type: ignore[arg-type]
    for field, entries in displayed.ListFields():
        if field.name in ("card_set", "effects"):
            continue
        assert [entry.index for entry in entries] == list(range(len(entries))), field.name
        assert all(entry.name for entry in entries), field.name
    assert [card.name for card in displayed.generic_capacities][:5] == [
        "Rest", "March", "Frontal attack", "Ranged attack", "Charge",
    ]  # fmt: skip
    assert [agenda.id for agenda in displayed.agendas] == ["survey", "hearths", "gargoule"]
    assert {part.number for agenda in displayed.agendas for part in agenda.capacities} == {40}
    assert all(card.belongs_to and card.kind and card.capacities for card in displayed.gear)
    assert all(card.factions and card.ministries and len(card.stats) == 4 for card in displayed.profiles)
    assert sum(card.copies for card in displayed.artefacts) == 12
    numbers = [effect.index for effect in displayed.effects]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize("agenda", ["survey", "gargoule"])
def test_numbers_in_views_and_events_name_cards_of_the_set(agenda: str) -> None:
    made = Olomoc.configure(2, {"agenda": agenda})
    assert isinstance(made, Olomoc)
    displayed = cards(made.initial_state())
    effects = {effect.index: effect.name for effect in displayed.effects}
    seen = set()
    for state, seat, code in steps(made.initial_state(), seed=3):
        view = made.view(state, OMNISCIENT)
        for rouage in view.rouages:
            if not rouage.name:
                continue
            hostile = not rouage.HasField("player")
            printed_card = (displayed.hostiles if hostile else displayed.profiles)[rouage.profile]
            assert (printed_card.name, printed_card.rank, printed_card.base, printed_card.life) == (
                rouage.name,
                rouage.rank,
                rouage.base,
                rouage.life,
            )
            printed = by_number(printed_card.capacities)
            if not hostile:
                printed |= by_number(displayed.agendas[view.agenda.index].capacities)
            if rouage.HasField("gear"):
                assert displayed.gear[rouage.gear.index].name == rouage.gear.name
                printed |= by_number(displayed.gear[rouage.gear.index].capacities)
            shown = by_number(rouage.capacities)
            assert {number: printed[number] for number in shown} == shown
        for effect in view.effects:
            assert effects[effect.node] == effect.name
        if state.decision == Decision.HOSTILE_LINE:
            acting = next(part.rouages[0] for part in reversed(view.pending) if part.kind == "hostile")
            profile = next(rouage.profile for rouage in view.rouages if rouage.index == acting)
            line = made.action(state, Code(code)).choose.option
            assert made.label(state, Code(code)).endswith(displayed.hostiles[profile].instinct[line])
            seen.add("line")
        after = state.clone()
        after.apply(code, -1 if seat is None else seat)
        for event in made.events(state, None if seat is None else Seat(seat), Code(code), after, OMNISCIENT):
            kind = str(event.WhichOneof("event"))
            seen.add(kind)
            if kind == "ministry_resolved":
                assert displayed.ministries[event.ministry_resolved.ministry].name
            elif kind == "mechanism":
                drawn = displayed.artefacts[event.mechanism.card]
                assert made.label(state, Code(code)) == f"Artefact {drawn.number}: {drawn.name}"
            elif kind == "capacity_used" and event.capacity_used.capacity < 16:
                name = displayed.generic_capacities[event.capacity_used.capacity].name
                assert made.label(state, Code(code)).split(" (")[0].endswith(name) or name == "Charge"
    assert seen >= {"ministry_resolved", "mechanism", "capacity_used"}
    assert agenda == "survey" or "line" in seen


def test_a_counter_has_its_name_whichever_agenda_it_is_of() -> None:
    """The numbers of counters go through all agendas of a set, while the view shows those of the agenda alone."""

    def one_before(raw: Raw) -> None:
        agenda = {key: value for key, value in card(raw, "agendas", "points").items() if key != "rules"}
        raw["agendas"].insert(0, {**agenda, "id": "before", "tokens": ["echoes"]})

    probe = active("{op: token, name: turns, n: 2}")
    state = scene(
        {2: Rouage((700, 800)), 4: Rouage((1000, 800))}, changes=(one_before, probe), options={"agenda": "points"}
    )
    displayed = cards(state)
    happened = happens(state, use(2, specific(state, 2, "deed")))
    (changed,) = (event.token_changed for event in happened if event.HasField("token_changed"))
    assert (changed.token, changed.name, changed.before, changed.after) == (1, "turns", 0, 2)
    assert displayed.counters[changed.token].name == changed.name
    view = view_of(state)
    assert [(counter.name, counter.value) for counter in view.counters] == [("turns", 2)]
    assert [said for event in happened if "turns" in (said := state.game.describe_event(event, view))] == [
        "turns: 0 to 2"
    ]


async def test_over_the_wire_to_everybody_alike() -> None:
    async with running_server(packs=[olomoc]) as running:
        table = await new_match(running, "olomoc", 2)
        call = running.channel.unary_unary(CALL.path, CALL.request.SerializeToString, CALL.response.FromString)
        answers = [await call(CALL.request(name=table.name, token=token)) for token in ("", table.host, *table.seats)]
        assert all(answer == answers[0] for answer in answers)
        state = (await running.matches.ObserveMatch(match_service_pb2.ObserveMatchRequest(name=table.name))).observation
        view = olomoc_pb2.View.FromString(state.view.value)
        assert answers[0].card_set == view.card_set
        assert cards(Olomoc.configure(2).initial_state(), SPECTATOR) == answers[0]  # type: ignore[arg-type]
