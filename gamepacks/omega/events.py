"""The event messages of a step for one viewer (section 15.7 of RULES.md): that of its code, then those of its trace."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from gamepacks.api.codes import Verb
from gamepacks.omega import codes, scoring
from gamepacks.omega.codes import BOOK, NONE, WHITE, TraceKind
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.labels import power_text
from gamepacks.omega.messages import card_message, score_message, target_message, token_message
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.views import knowing_seat, knows_code

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega


def event_messages(before: OmegaState, code: int, after: OmegaState, viewer: int) -> list[pb.Event]:
    """Returns the event messages of a step for one viewer, in order of time."""
    step = _Step(before, code, after, viewer)
    build = _CODE_EVENTS.get(step.verb)
    events = [] if build is None else [build(step)]
    return events + _trace_events(step)


class _Step:
    """A step, and whether its viewer knows its code."""

    def __init__(self, before: OmegaState, code: int, after: OmegaState, viewer: int) -> None:
        self.game: Omega = before.game
        self.before = before
        self.code = code
        self.after = after
        self.verb = BOOK.verb(code)
        self.args = self.verb.unpack(code)
        self.known = knows_code(before, code, viewer)
        self.old: dict[str, Any] = before.dump()
        self.active = int(self.old["active_seat"])
        self.pending: tuple[int, int, int, int] = before.pending or (0, 0, 0, 0)

    def rune(self, type_: int) -> Any:
        """A rune type as a number of the Rune enum."""
        return type_ + 1


# -- the event of a code ---------------------------------------


def _start_player(step: _Step) -> pb.Event:
    return pb.Event(start_player=pb.StartPlayer(seat=step.args[0]))


def _altar_rune(step: _Step) -> pb.Event:
    return pb.Event(altar_refilled=pb.RuneOutcome(rune=step.rune(step.args[0])))


def _from_bag(step: _Step) -> pb.Event:
    drawn = pb.RuneDrawn(seat=knowing_seat(step.before), source=pb.SOURCE_BAG)
    if step.known:
        drawn.rune = step.rune(step.args[0])
    return pb.Event(rune_drawn=drawn)


def _gallery_card(step: _Step) -> pb.Event:
    slot = step.old["gallery"].index(NONE)
    return pb.Event(gallery_refilled=pb.GalleryRefilled(slot=slot, card=card_message(step.game, step.args[0])))


def _look(step: _Step) -> pb.Event:
    card = card_message(step.game, step.args[0]) if step.known else None
    return pb.Event(key_looked=pb.KeyLooked(seat=step.active, card=card))


def _flip(step: _Step) -> pb.Event:
    stack = step.pending[1] if step.before.pending else step.old["tops"].index(NONE)
    return pb.Event(arcana_flipped=pb.ArcanaFlipped(stack=stack, token=token_message(step.game, step.args[0])))


def _take_altar(step: _Step) -> pb.Event:
    rune = step.rune(step.args[0])
    return pb.Event(rune_drawn=pb.RuneDrawn(seat=step.active, source=pb.SOURCE_ALTAR, rune=rune))


def _declared(step: _Step) -> pb.Event:
    seat, place = (NONE, *step.args) if step.verb is codes.SUMMON else step.args
    return pb.Event(gain_declared=pb.GainDeclared(seat=step.active, target=target_message(seat, place)))


def _placed(step: _Step) -> pb.Event:
    placed = pb.RunesPlaced(seat=step.active, rune=step.rune(step.pending[1]), places=[step.args[0]])
    return pb.Event(runes_placed=placed)


def _pair(step: _Step) -> pb.Event:
    places = [step.pending[1], step.args[0]]
    return pb.Event(runes_placed=pb.RunesPlaced(seat=step.active, rune=pb.RUNE_GREEN, places=places))


def _swapped(step: _Step) -> pb.Event:
    swapped = pb.BlackSwapped(seat=step.active, owner=step.pending[1], place=step.pending[2])
    swapped.rune = step.rune(step.args[0])
    return pb.Event(black_swapped=swapped)


def _red(step: _Step) -> pb.Event:
    pulled = step.verb is codes.PULL
    return pb.Event(red_offered=pb.RedOffered(seat=step.active, place=step.pending[1], pulled=pulled))


def _token(step: _Step) -> pb.Event:
    stack = step.args[0]
    taken = pb.ArcanaTaken(seat=step.active, stack=stack, token=token_message(step.game, step.old["tops"][stack]))
    taken.held = len(step.old["seats"][step.active]["tokens"]) + 1
    return pb.Event(arcana_taken=taken)


def _cycled(step: _Step) -> pb.Event:
    place, type_ = step.args
    return pb.Event(rune_cycled=pb.RuneCycled(seat=step.active, place=place, rune=step.rune(type_)))


def _book(step: _Step) -> pb.Event:
    place, power = step.args
    card = step.old["seats"][step.active]["egregors"][place]["card"]
    text = power_text(step.game.cards.egregors[card].powers[power])
    return pb.Event(power_used=pb.PowerUsed(seat=step.active, place=place, text=text))


def _recovered(step: _Step) -> pb.Event:
    runes = [int(type_ == step.args[0]) for type_ in range(6)]
    return pb.Event(runes_recovered=pb.RunesRecovered(seat=step.pending[1], runes=runes))


_CODE_EVENTS: dict[Verb, Callable[[_Step], pb.Event]] = {
    codes.START_PLAYER: _start_player,
    codes.ALTAR_RUNE: _altar_rune,
    codes.DEAL: _from_bag,
    codes.BAG_RUNE: _from_bag,
    codes.GALLERY_CARD: _gallery_card,
    codes.LOOK: _look,
    codes.FLIP: _flip,
    codes.TAKE_ALTAR: _take_altar,
    codes.SUMMON: _declared,
    codes.CAPTURE: _declared,
    codes.TARGET: _placed,
    codes.PAIR_SECOND: _pair,
    codes.BLACK_TAKE: _swapped,
    codes.PULL: _red,
    codes.DECLINE: _red,
    codes.ARCANA: _token,
    codes.CYCLE: _cycled,
    codes.USE_BOOK: _book,
    codes.RECOVER: _recovered,
}
"""Other verbs only lead to the next decision; their effects are in the trace."""


# -- the events of a trace; all are public ---------------------------------------


def _trace_events(step: _Step) -> list[pb.Event]:
    events: list[pb.Event] = []
    for kind, a, b, c in step.before.trace_of(step.code):
        if kind == TraceKind.TO_BAG:
            # It belongs to the loss before it.
            events[-1].egregor_lost.to_bag[b] = c
        else:
            events.append(_TRACE_EVENTS[TraceKind(kind)](step, a, b, c))
    return events


def _confirmed(step: _Step, loser: int, card: int, prestige: int) -> pb.Event:
    gained = pb.EgregorGained(seat=step.active, card=card_message(step.game, card), prestige=prestige)
    gained.batch.extend(step.old["batch"])
    if loser != NONE:
        gained.loser = loser
    return pb.Event(egregor_gained=gained)


def _whites(step: _Step, seat: int, count: int, _: int) -> pb.Event:
    runes = [count if type_ == WHITE else 0 for type_ in range(6)]
    return pb.Event(runes_recovered=pb.RunesRecovered(seat=seat, runes=runes))


def _lost(step: _Step, seat: int, card: int, disowned: int) -> pb.Event:
    lost = pb.EgregorLost(seat=seat, card=card_message(step.game, card), disowned=bool(disowned), to_bag=[0] * 6)
    return pb.Event(egregor_lost=lost)


def _pawn(step: _Step, cause: int, start: int, end: int) -> pb.Event:
    passings = step.game.rules.passings(start, end - start)
    moved = pb.PawnAdvanced(seat=step.active, from_steps=start, to_steps=end, passings=passings)
    moved.cause = cause  # type: ignore[assignment]
    return pb.Event(pawn_advanced=moved)


def _mask(step: _Step, seat: int, place: int, _: int) -> pb.Event:
    return pb.Event(mask_moved=pb.MaskMoved(seat=seat, place=place if place >= 0 else None))


def _drew(step: _Step, type_: int, searched: int, _: int) -> pb.Event:
    source = pb.SOURCE_SEARCHED if searched else pb.SOURCE_ALTAR
    return pb.Event(rune_drawn=pb.RuneDrawn(seat=step.active, source=source, rune=step.rune(type_)))


def _lightning(step: _Step, place: int, card: int, power: int) -> pb.Event:
    text = power_text(step.game.cards.egregors[card].powers[power])
    return pb.Event(power_used=pb.PowerUsed(seat=step.active, place=place, text=text, lightning=True))


def _replaced(step: _Step, place: int, old: int, new: int) -> pb.Event:
    replaced = pb.KeyReplaced(seat=step.active, place=place)
    replaced.old_card.CopyFrom(card_message(step.game, old))
    replaced.new_card.CopyFrom(card_message(step.game, new))
    return pb.Event(key_replaced=replaced)


def _kept(step: _Step, *_: int) -> pb.Event:
    return pb.Event(key_kept=pb.KeyKept(seat=step.active))


def _stack_empty(step: _Step, stack: int, *_: int) -> pb.Event:
    return pb.Event(stack_emptied=pb.StackEmptied(stack=stack))


def _reshuffled(step: _Step, *_: int) -> pb.Event:
    return pb.Event(deck_reshuffled=pb.DeckReshuffled(cards=len(step.after.dump()["deck"])))


def _bag_out(step: _Step, *_: int) -> pb.Event:
    return pb.Event(bag_exhausted=pb.BagExhausted(seat=step.active))


def _phase(step: _Step, phase: int, *_: int) -> pb.Event:
    return pb.Event(phase_changed=pb.PhaseChanged(seat=step.active, phase=phase))  # type: ignore[arg-type]


def _announced(step: _Step, seat: int, ending: int, _: int) -> pb.Event:
    return pb.Event(end_announced=pb.EndAnnounced(seat=seat, ending=ending))


def _turn(step: _Step, seat: int, number: int, final: int) -> pb.Event:
    # Later events of the step are about this seat.
    step.active = seat
    return pb.Event(turn_started=pb.TurnStarted(seat=seat, turn=number, final=bool(final)))


def _over(step: _Step, *_: int) -> pb.Event:
    scores = [score_message(score) for score in scoring.scores(step.after)]
    winners = scoring.winners(step.game, step.after)
    return pb.Event(judgement=pb.Judgement(scores=scores, winners=winners, ending=step.after.ending))


_TRACE_EVENTS: dict[TraceKind, Callable[..., pb.Event]] = {
    TraceKind.CONFIRMED: _confirmed,
    TraceKind.WHITES_BACK: _whites,
    TraceKind.LOST: _lost,
    TraceKind.PAWN: _pawn,
    TraceKind.MASK: _mask,
    TraceKind.DREW: _drew,
    TraceKind.LIGHTNING: _lightning,
    TraceKind.REPLACED: _replaced,
    TraceKind.KEPT: _kept,
    TraceKind.STACK_EMPTY: _stack_empty,
    TraceKind.RESHUFFLED: _reshuffled,
    TraceKind.BAG_OUT: _bag_out,
    TraceKind.PHASE: _phase,
    TraceKind.ANNOUNCED: _announced,
    TraceKind.TURN: _turn,
    TraceKind.OVER: _over,
}
