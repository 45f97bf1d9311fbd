"""What a viewer sees of a table (section 15.6 of RULES.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.omega import scoring
from gamepacks.omega.codes import GREEN, NOWHERE, Frame, Phase
from gamepacks.omega.engine.state import OmegaState
from gamepacks.omega.positions import target_message
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.words import card_message, decision, token_message

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega


def view_message(game: Omega, state: OmegaState, viewer: int) -> pb.View:
    """The view (section 15.6)."""
    values = state.dump()
    over, actor, active = state.phase == Phase.OVER, state.actor(), values["active"]
    inside = viewer in (-2, active) or over
    view = pb.View(
        card_set=game.card_set.title,
        phase=values["phase"],
        active_seat=active if active >= 0 and not over else None,
        deciding_seat=actor if actor >= 0 else None,
        decision=decision(state),  # type: ignore[arg-type]
        turn=values["turn"],
        squares=game.rules.squares,
        eye_offset=game.rules.eye,
        altar=values["altar"],
        bag_size=sum(values["bag"]),
        deck_size=len(values["deck"]),
        discard=values["discard"],
        discard_names=[game.cards.egregors[card].name for card in values["discard"]],
        looked_count=len(values["looked"]),
        gain_used=values["gain_used"],
        ending=values["ending"],
        announcer=values["announcer"] if values["announcer"] >= 0 else None,
        final_turns_left=values["final_left"],
        winners=scoring.winners(game, state) if over else (),
        disowned=values["disowned"],
        last_mask=values["last_mask"],
        mask_moved=values["mask_moved"],
        red_used=values["red_used"],
        green_pending=values["green_pending"],
        latch=values["latch"],
        absent=values["absent"],
    )
    for card in values["gallery"]:
        view.gallery.add(card=None if card == NOWHERE else card_message(game, card))
    for token, hidden in zip(values["top"], values["hidden"], strict=True):
        view.arcana.add(top=None if token == NOWHERE else token_message(game, token), hidden=hidden)
    unseen = list(values["bag"])
    open_scores = scoring.scores(state) if over or viewer == -2 else None
    for seat, player in enumerate(values["players"]):
        known = over or viewer in (-2, seat)
        message = _player(game, player, known)
        if known:
            score = scoring.known_score(state, seat) if open_scores is None else open_scores[seat]
            message.score.CopyFrom(score_message(score))
        view.players.append(message)
        if not known:
            unseen = [a + b for a, b in zip(unseen, player["pyramid"], strict=True)]
    view.unseen.extend(unseen)
    if values["batch_index"] != NOWHERE:
        view.batch_target.CopyFrom(target_message(values["batch_seat"], values["batch_index"]))
        if inside or values["batch_shown"]:
            view.batch.extend(values["batch"])
    if inside:
        view.looked.extend(card_message(game, card) for card in values["looked"])
    _pending(view, state.pending, inside, once_a_turn=game.options.red_limit == "per_turn")
    return view


def _pending(view: pb.View, pending: tuple[int, int, int, int] | None, inside: bool, once_a_turn: bool) -> None:
    if pending is None:
        return
    kind, a, b, c = pending
    if kind == Frame.TARGET and inside:
        view.placing = a + 1  # type: ignore[assignment]
    elif kind in (Frame.PAIR_FIRST, Frame.PAIR_SECOND) and inside:
        view.placing = GREEN + 1  # type: ignore[assignment]
    elif kind in (Frame.DRAW, Frame.ARCANA, Frame.CYCLE, Frame.LOOK):
        view.left = a
    elif kind == Frame.RED:
        view.left = 1 if once_a_turn else b
    elif kind == Frame.RECOVER:
        view.left = c


def _player(game: Omega, player: dict[str, Any], known: bool) -> pb.Player:
    message = pb.Player(
        pyramid_size=sum(player["pyramid"]),
        pyramid=player["pyramid"] if known else (),
        steps=player["steps"],
        square=player["steps"] % game.rules.squares + 1,
        prestige=player["prestige"],
        token_count=len(player["tokens"]),
        lost_one=player["lost"],
        mask_in_reserve=player["mask"] < 0,
    )
    for place, card in enumerate(player["row"]):
        message.egregors.add(
            card=card_message(game, card["card"]),
            load=card["load"],
            masked=player["mask"] == place,
            gained=card["gained"],
            used_powers=[power for power in range(4) if card["used"] >> power & 1],
            old_blacks=card["old_blacks"],
        )
    if known or game.options.arcana_view == "open":
        message.tokens.extend(token_message(game, token) for token in player["tokens"])
    return message


def score_message(score: scoring.Score) -> pb.Score:
    """A score as the wire has it."""
    return pb.Score(
        runes=score.runes,
        gold=score.gold,
        arcana=score.arcana,
        bonus=score.bonus,
        total=score.total,
        arcana_most=score.arcana_most,
    )
