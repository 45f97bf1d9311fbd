"""The view of a state for one viewer, and which codes a viewer knows (section 15.6 of RULES.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.omega import codes, scoring
from gamepacks.omega.codes import ANY_TYPE, BOOK, GREEN, NONE
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.messages import card_message, score_message, target_message, token_message
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import FrameKind, Phase

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega


def view_message(state: OmegaState, viewer: int) -> pb.View:
    """Returns the view message of a state for one viewer (section 15.6)."""
    game: Omega = state.game
    values = state.dump()
    over, actor, active = state.phase == Phase.OVER, state.actor(), values["active_seat"]
    inside = viewer in (-2, active) or over
    view = pb.View(
        card_set=game.card_set.title,
        phase=values["phase"],
        active_seat=active if active >= 0 and not over else None,
        deciding_seat=actor if actor >= 0 else None,
        decision=pending_decision(state),  # type: ignore[arg-type]
        turn=values["turn"],
        squares=game.rules.squares,
        eye_offset=game.rules.eye,
        arcanic_tokens=game.rules.arcanic,
        altar=values["altar"],
        bag_size=sum(values["bag"]),
        deck_size=len(values["deck"]),
        discard=values["discard"],
        discard_names=[game.cards.egregors[card].name for card in values["discard"]],
        looked_count=len(values["looked"]),
        gain_used=values["gain_used"],
        ending=values["ending"],
        announcer=values["announcer"] if values["announcer"] >= 0 else None,
        final_turns_left=values["final_turns_left"],
        winners=scoring.winners(game, state) if over else (),
        disowned=values["disowned"],
        last_mask=values["last_mask"],
        mask_moved=values["mask_moved"],
        red_used=values["red_used"],
        green_pending=values["green_pending"],
        bag_was_empty=values["bag_was_empty"],
        absent=values["absent"],
    )
    for card in values["gallery"]:
        view.gallery.add(card=None if card == NONE else card_message(game, card))
    for token, hidden in zip(values["tops"], values["hidden"], strict=True):
        view.arcana.add(top=None if token == NONE else token_message(game, token), hidden=hidden)
    unseen = list(values["bag"])
    open_scores = scoring.scores(state) if over or viewer == -2 else None
    for seat, player in enumerate(values["seats"]):
        known = over or viewer in (-2, seat)
        message = _player(game, player, known)
        if known:
            score = scoring.known_score(state, seat) if open_scores is None else open_scores[seat]
            message.score.CopyFrom(score_message(score))
        view.players.append(message)
        if not known:
            unseen = [a + b for a, b in zip(unseen, player["pyramid"], strict=True)]
    view.unseen.extend(unseen)
    if values["batch_index"] != NONE:
        view.batch_target.CopyFrom(target_message(values["batch_seat"], values["batch_index"]))
        if inside or values["batch_shown"]:
            view.batch.extend(values["batch"])
    if inside:
        view.looked.extend(card_message(game, card) for card in values["looked"])
    _pending(game, view, state.pending, inside)
    return view


def _pending(game: Omega, view: pb.View, pending: tuple[int, int, int, int] | None, inside: bool) -> None:
    if pending is None:
        return
    kind, a, b, c = pending
    if kind == FrameKind.TARGET and inside:
        view.placing = a + 1  # type: ignore[assignment]
    elif kind in (FrameKind.PAIR_FIRST, FrameKind.PAIR_SECOND) and inside:
        view.placing = GREEN + 1  # type: ignore[assignment]
        if kind == FrameKind.PAIR_SECOND:
            view.decision_target.CopyFrom(target_message(view.active_seat, a))
    elif kind == FrameKind.BLACK_TAKE:
        view.decision_target.CopyFrom(target_message(a, b))
    elif kind in (FrameKind.DRAW, FrameKind.ARCANA, FrameKind.CYCLE, FrameKind.LOOK):
        view.remaining = a
        if kind in (FrameKind.DRAW, FrameKind.CYCLE):
            view.wanted = b + 1 if b != ANY_TYPE else 0  # type: ignore[assignment]
            view.may_stop = game.options.power_amount == "up_to" and (kind == FrameKind.CYCLE or bool(c))
    elif kind == FrameKind.RED:
        view.remaining = 1 if game.options.red_limit == "per_turn" else b
        view.decision_target.CopyFrom(target_message(view.active_seat, a))
    elif kind == FrameKind.RECOVER:
        view.remaining = c
        view.may_stop = game.options.recovery == "up_to"
        view.decision_target.CopyFrom(target_message(a, b))


def _player(game: Omega, player: dict[str, Any], known: bool) -> pb.Player:
    message = pb.Player(
        pyramid_size=sum(player["pyramid"]),
        pyramid=player["pyramid"] if known else (),
        steps=player["steps"],
        square=player["steps"] % game.rules.squares + 1,
        prestige=player["prestige"],
        token_count=len(player["tokens"]),
        lost_egregor=player["lost_egregor"],
        mask_in_reserve=player["mask"] < 0,
    )
    for place, card in enumerate(player["egregors"]):
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


# -- knowledge ---------------------------------------

_HIDDEN_VERBS = {codes.DEAL, codes.BAG_RUNE, codes.LOOK, codes.PLACE, codes.PAIR, codes.ADD, codes.PAIR_FIRST}


def knowing_seat(state: OmegaState) -> int:
    """The seat that knows the outcome or decision of the state if it is hidden."""
    if state.phase == Phase.DEAL:
        return state.dealt_seat
    return state.active


def knows_code(state: OmegaState, code: int, viewer: int) -> bool:
    """Whether the viewer may know the code (section 15.6)."""
    verb = BOOK.verb(code)
    if verb is codes.KEY_TAKE:
        keys = state.dump()["keys"]
        hidden = keys & (keys - 1) != 0
    else:
        hidden = verb in _HIDDEN_VERBS
    return not hidden or viewer in (-2, knowing_seat(state))


def pending_decision(state: OmegaState) -> int:
    """Returns the pending decision as far as everyone may know it, a number of the Decision enum."""
    if state.actor() < 0:
        return pb.DECISION_UNSPECIFIED
    pending = state.pending
    if pending is None:
        return pb.DECISION_DRAW if state.phase == Phase.DRAW else pb.DECISION_MAIN
    return {
        FrameKind.BATCH: pb.DECISION_BATCH,
        FrameKind.TARGET: pb.DECISION_PLACING,
        FrameKind.PAIR_FIRST: pb.DECISION_PLACING,
        FrameKind.PAIR_SECOND: pb.DECISION_PLACING,
        FrameKind.BLACK_TARGET: pb.DECISION_BLACK_TARGET,
        FrameKind.BLACK_TAKE: pb.DECISION_BLACK_TAKE,
        FrameKind.RED: pb.DECISION_RED,
        FrameKind.DRAW: pb.DECISION_GAIN_RUNE,
        FrameKind.ARCANA: pb.DECISION_ARCANA,
        FrameKind.RECOVER: pb.DECISION_RECOVER,
        FrameKind.CYCLE: pb.DECISION_CYCLE,
        FrameKind.KEY: pb.DECISION_KEY,
        FrameKind.KEY_PLACE: pb.DECISION_KEY_PLACE,
    }[FrameKind(pending[0])]
