"""Prompts of the scene: the pending decision as a sentence, and its buttons."""

from __future__ import annotations

from collections.abc import Iterator

from gamepacks.api.text import counted
from gamepacks.omega.codes import MAX_ROW, TYPE_NAMES
from gamepacks.omega.sentences import endings, score_text
from gamepacks.omega.v1 import omega_pb2 as pb


def prompt(view: pb.View) -> str:
    """Returns the pending decision or the end of the game as a sentence."""
    if view.phase == pb.PHASE_OVER:
        winners = " and ".join(f"seat {seat}" for seat in view.winners)
        return f"The judgement is over: {winners} {'wins' if len(view.winners) == 1 else 'win'}."
    if not view.HasField("deciding_seat"):
        return "Chance decides."
    return f"seat {view.deciding_seat} decides: {decision_text(view)}."


def decision_text(view: pb.View) -> str:
    """Returns what the deciding seat can do, as an imperative."""
    left = f" ({view.remaining} left)" if view.remaining else ""
    rune = TYPE_NAMES[view.placing - 1] if view.placing else ""
    wanted = f"{TYPE_NAMES[view.wanted - 1]} " if view.wanted else ""
    about = egregor_name(view, view.decision_target) if view.HasField("decision_target") else "an Egregor"
    match view.decision:
        case pb.DECISION_DRAW:
            return "draw a rune from the altar, or a hidden one from the bag"
        case pb.DECISION_MAIN:
            return _main(view)
        case pb.DECISION_BATCH:
            return _batch_prompt(view)
        case pb.DECISION_PLACING:
            return (
                f"choose one of your Egregors for the {rune} rune" if rune else "place a rune on one of your Egregors"
            )
        case pb.DECISION_BLACK_TARGET:
            return "choose the opposing Egregor for the black rune"
        case pb.DECISION_BLACK_TAKE:
            return f"choose the rune that the black rune takes from {about}"
        case pb.DECISION_RED:
            return f"pull a red rune from the altar onto {about}, or leave it there{left}"
        case pb.DECISION_GAIN_RUNE:
            return f"take a {wanted}rune from the altar or the bag{left}"
        case pb.DECISION_ARCANA:
            return f"take an Arcana token{left}"
        case pb.DECISION_RECOVER:
            return f"choose runes of the lost {about} to recover into your pyramid{left}"
        case pb.DECISION_CYCLE:
            return f"take a {wanted}rune back from one of your Egregors{left}"
        case pb.DECISION_KEY:
            return "choose a card that replaces a Key, or none"
        case pb.DECISION_KEY_PLACE:
            return "choose the Key that the card replaces"
        case _:
            return "wait"


def _main(view: pb.View) -> str:
    if len(view.players[view.deciding_seat].egregors) > MAX_ROW - 1:
        return "disown one of your five Egregors before you end the main phase"
    gain = "" if view.gain_used else "summon a card from the gallery or capture an opposing Egregor, "
    return f"{gain}place runes from your pyramid, use a book, move the Mask, or end the main phase"


def _batch_prompt(view: pb.View) -> str:
    target = view.batch_target
    name = egregor_name(view, target)
    if target.HasField("slot"):
        return f"add runes from your pyramid to the batch that summons {name}, then confirm it"
    more = sum(view.players[target.seat].egregors[target.place].load)
    return f"add more than {counted(more, 'rune')} from your pyramid to the batch that captures {name}, then confirm it"


def egregor_name(view: pb.View, target: pb.Target) -> str:
    """The name of an Egregor in the gallery or in a row: ``Anna of seat 1``."""
    if target.HasField("slot"):
        return view.gallery[target.slot].card.name
    return f"{view.players[target.seat].egregors[target.place].card.name} of seat {target.seat}"


def notes(view: pb.View) -> Iterator[str]:
    """Yield further lines about the pending decision, or the scores at the end."""
    if view.phase == pb.PHASE_OVER:
        for seat, player in enumerate(view.players):
            yield f"seat {seat}: {counted(player.score.total, 'point')} ({score_text(player.score)})"
        return
    if view.HasField("announcer"):
        turns = counted(view.final_turns_left, "turn")
        announced = f"Final round ({endings(view.ending)}), announced by seat {view.announcer}"
        yield f"{announced}: {turns} left, captures are not allowed."
    elif view.bag_was_empty:
        yield "The bag has been empty in this turn: the game may end after it."
    if view.decision == pb.DECISION_MAIN and view.gain_used:
        yield "An Egregor has been gained in this turn; a second one cannot be gained."
    if view.green_pending:
        yield "A second green rune placed directly after the first one makes a pair."


def buttons(view: pb.View) -> list[tuple[str, str]]:
    """Names and texts of the buttons of the decision, for a viewer who knows the deciding seat's pyramid."""
    if not view.HasField("deciding_seat") or not view.players[view.deciding_seat].pyramid:
        return []
    match view.decision:
        case pb.DECISION_MAIN:
            found = [("end", "End the main phase")]
            player = view.players[view.deciding_seat]
            if player.pyramid[TYPE_NAMES.index("green")] > 1:
                found.append(("pair", "Place two green runes"))
            if view.gain_used and len(player.egregors) > 1:
                found.append(("disown", "Disown an Egregor"))
            return found
        case pb.DECISION_BATCH:
            return [("confirm", "Confirm the batch")]
        case pb.DECISION_RED:
            return [("decline", "Leave the red rune")]
        case pb.DECISION_GAIN_RUNE | pb.DECISION_CYCLE | pb.DECISION_RECOVER if view.may_stop:
            return [("stop", "Take no more")]
        case pb.DECISION_KEY:
            return [("none", "Replace no Key")]
        case _:
            return []
