"""Conversion between states and position messages; every fault of a position is reported."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamepacks.api.errors import Fault, InvalidPosition
from gamepacks.omega.codes import (
    ALTAR_SIZE,
    ANY_TYPE,
    BLACK,
    CARDS,
    FINAL_ROW,
    GALLERY_SLOTS,
    GREEN,
    HANDS,
    MAX_EFFECTS,
    MAX_LOAD,
    MAX_POWERS,
    MAX_ROW,
    NONE,
    STACKS,
    TOKENS,
    TYPES,
    Ending,
)
from gamepacks.omega.engine.rules import OmegaState
from gamepacks.omega.messages import target_message
from gamepacks.omega.v1 import omega_pb2 as pb
from gamepacks.omega.v1.omega_enums import FrameKind, Phase

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega

_BEFORE_MAIN = {Phase.UPKEEP_ALTAR, Phase.UPKEEP_GALLERY, Phase.DRAW}
_MARKS = ("gain_used", "disowned", "last_mask", "mask_moved", "red_used", "green_pending")

_COPIED = (
    "phase", "dealt", "bag", "absent", "altar", "deck", "discard", "looked", "certain", "hidden", "pool", "turn",
    "gain_used", "disowned", "last_mask", "mask_moved", "bag_was_empty", "red_used", "green_pending", "batch",
    "batch_shown", "keys", "replaced", "ending", "final_turns_left",
)  # fmt: skip
"""Fields of a position that have the values of OmegaState.dump()."""
_SET_UP = {Phase.SETUP_ALTAR, Phase.SETUP_GALLERY, Phase.SETUP_ARCANA, Phase.START_PLAYER, Phase.DEAL}


def to_message(state: OmegaState) -> pb.Position:
    """Returns the position message of a state; equal states give equal messages."""
    values = state.dump()
    position = pb.Position(**{name: values[name] for name in _COPIED})
    position.gallery.extend(-1 if card == NONE else card for card in values["gallery"])
    position.tops.extend(-1 if token == NONE else token for token in values["tops"])
    for name in ("start_seat", "active_seat", "announcer"):
        if values[name] >= 0:
            setattr(position, name, values[name])
    if values["batch_index"] != NONE:
        position.batch_target.CopyFrom(target_message(values["batch_seat"], values["batch_index"]))
    for seat in values["seats"]:
        position.seats.add(**{**seat, "mask": seat["mask"] if seat["mask"] >= 0 else None})
    for kind, a, b, c in values["frames"]:
        position.frames.add(kind=kind, a=a, b=b, c=c)
    return position


def restore(game: Omega, position: pb.Position) -> OmegaState:
    """Returns the state of a position. Raises InvalidPosition with every fault."""
    checker = Checker(game, position)
    values = checker.values()
    state = game.initial_state()
    if not checker.faults:
        state.load(values)
        if not state.is_settled():
            checker.fault("frames", "must lead to a decision, a chance node or the end")
    if checker.faults:
        raise InvalidPosition(checker.faults)
    return state


class Checker:
    """Checks a position and collects its values (section 12 of RULES.md)."""

    def __init__(self, game: Omega, position: pb.Position) -> None:
        self.game = game
        self.position = position
        self.faults: list[Fault] = []

    def fault(self, field: str, message: str) -> None:
        """Add a fault."""
        self.faults.append(Fault(field, message))

    def values(self) -> dict[str, Any]:
        """The values for OmegaState.load(); valid only if there are no faults."""
        position = self.position
        self._phase = int(position.phase)
        if self._phase not in set(Phase):
            self.fault("phase", "is not a phase of the game")
        values: dict[str, Any] = {
            "phase": self._phase,
            "start_seat": self._seat("start_seat"),
            "active_seat": self._seat("active_seat"),
            "announcer": self._seat("announcer"),
            "dealt": self._number("dealt", position.dealt, 0, 20),
            "bag": self._numbers("bag", position.bag, TYPES, 0, 37),
            "absent": self._numbers("absent", position.absent, TYPES, 0, 1),
            "altar": self._numbers("altar", position.altar, TYPES, 0, ALTAR_SIZE),
            "gallery": [
                NONE if c < 0 else c for c in self._numbers("gallery", position.gallery, GALLERY_SLOTS, -1, CARDS - 1)
            ],
            "hidden": self._numbers("hidden", position.hidden, STACKS, 0, TOKENS // STACKS),
            "tops": [
                NONE if t < 0 else t
                for t in self._numbers("tops", position.tops, STACKS, -1, len(self.game.cards.arcana) - 1)
            ],
            "pool": self._numbers("pool", position.pool, len(self.game.cards.arcana), 0, TOKENS),
            "turn": self._number("turn", position.turn, 0, 1_000_000_000),
            "disowned": self._number("disowned", position.disowned, 0, MAX_ROW),
            "batch": self._numbers("batch", position.batch, TYPES, 0, MAX_LOAD),
            "keys": self._number("keys", position.keys, 0, (1 << MAX_ROW) - 1),
            "replaced": [self._number("replaced", place, 0, MAX_ROW - 1) for place in position.replaced][:MAX_ROW],
            "ending": self._number("ending", position.ending, 0, 15),
            "final_turns_left": self._number("final_turns_left", position.final_turns_left, 0, self.game.players - 1),
        }
        for name in ("deck", "discard", "looked", "certain"):
            values[name] = self._cards(name)
        for name in (
            "gain_used",
            "last_mask",
            "mask_moved",
            "bag_was_empty",
            "red_used",
            "green_pending",
            "batch_shown",
        ):
            values[name] = getattr(position, name)
        values["seats"] = self._players()
        if not self.faults:
            self._check_turn(values)
            self._check_target(values)
            self._check_counts(values)
        if not self.faults:
            values["frames"] = self._frames(values)
        if not self.faults:
            self.faults.extend(unreachable(self.game, values))
        return values

    # -- single values ---------------------------------------

    def _number(self, field: str, value: int, low: int, high: int) -> int:
        if not low <= value <= high:
            self.fault(field, f"{value} is not from {low} to {high}")
        return int(value)

    def _numbers(self, field: str, given: Any, count: int, low: int, high: int) -> list[int]:
        if len(given) != count:
            self.fault(field, f"has {len(given)} entries; {count} are needed")
            return [0] * count
        return [self._number(f"{field}[{place}]", int(value), low, high) for place, value in enumerate(given)]

    def _seat(self, field: str) -> int:
        if not self.position.HasField(field):
            return -1
        return self._number(field, getattr(self.position, field), 0, self.game.players - 1)

    def _cards(self, field: str) -> list[int]:
        cards = [self._number(field, card, 0, CARDS - 1) for card in getattr(self.position, field)]
        if cards != sorted(set(cards)):
            self.fault(field, "must be in ascending order, without repetitions")
        return cards

    def _players(self) -> list[dict[str, Any]]:
        if len(self.position.seats) != self.game.players:
            self.fault("seats", f"has {len(self.position.seats)} entries for {self.game.players} players")
        return [self._player(f"seats[{place}]", seat) for place, seat in enumerate(self.position.seats)]

    def _player(self, at: str, seat: pb.SeatPosition) -> dict[str, Any]:
        pyramid = self._numbers(f"{at}.pyramid", seat.pyramid, TYPES, 0, 37)
        shown = self._numbers(f"{at}.shown", seat.shown, TYPES, 0, 37)
        if any(known > there for known, there in zip(shown, pyramid, strict=True)):
            self.fault(f"{at}.shown", "has more runes than the pyramid")
        if len(seat.egregors) > MAX_ROW:
            self.fault(f"{at}.egregors", f"has more than {MAX_ROW} entries (OMEGA-MAIN-03)")
        row = [self._egregor(f"{at}.egregors[{place}]", card) for place, card in enumerate(seat.egregors)]
        mask = seat.mask if seat.HasField("mask") else -1
        if mask != -1 and not (0 <= mask < len(row)):
            self.fault(f"{at}.mask", "there is no Egregor in this place")
        elif mask != -1 and 0 <= row[mask]["card"] < CARDS and self.game.cards.egregors[row[mask]["card"]].renegade:
            self.fault(f"{at}.mask", "a Renegade never wears the Mask (OMEGA-MASK-04)")
        tokens = [self._number(f"{at}.tokens", token, 0, len(self.game.cards.arcana) - 1) for token in seat.tokens]
        if len(tokens) > TOKENS:
            self.fault(f"{at}.tokens", f"has more than the {TOKENS} tokens of the game (OMEGA-COMP-03)")
        return {
            "pyramid": pyramid,
            "shown": shown,
            "mask": mask,
            "lost_egregor": seat.lost_egregor,
            "prestige": self._number(f"{at}.prestige", seat.prestige, 0, 60_000),
            "steps": self._number(f"{at}.steps", seat.steps, 0, 1_000_000_000),
            "tokens": tokens,
            "egregors": row,
        }

    def _egregor(self, at: str, given: pb.EgregorPosition) -> dict[str, Any]:
        card = self._number(f"{at}.card", given.card, 0, CARDS - 1)
        load = self._numbers(f"{at}.load", given.load, TYPES, 0, MAX_LOAD)
        if sum(load) > MAX_LOAD:
            self.fault(f"{at}.load", f"has more than {MAX_LOAD} runes (OMEGA-PLACE-02)")
        primitive = 0 <= card < CARDS and self.game.cards.egregors[card].primitive
        if sum(count > 0 for count in load[:BLACK]) > (1 if primitive else 2):
            self.fault(f"{at}.load", "has too many colours (OMEGA-PLACE-03, OMEGA-PLACE-04)")
        return {
            "card": card,
            "load": load,
            "gained": given.gained,
            "used": self._number(f"{at}.used", given.used, 0, (1 << MAX_POWERS) - 1),
            "old_blacks": self._number(f"{at}.old_blacks", given.old_blacks, 0, MAX_LOAD),
        }

    # -- all values ----------------------------------------

    def _check_counts(self, values: dict[str, Any]) -> None:
        players = values["seats"]
        for place, (name, total) in enumerate(self.game.cards.runes):
            count = values["bag"][place] + values["altar"][place]
            count += sum(p["pyramid"][place] + sum(c["load"][place] for c in p["egregors"]) for p in players)
            if count != total:
                self.fault("bag", f"there are {count} {name} runes in all; there must be {total} (OMEGA-INV-01)")
            if values["absent"][place] and values["bag"][place]:
                self.fault(f"absent[{place}]", f"must be false: the bag has {name} runes")
        if sum(values["altar"]) > ALTAR_SIZE:
            self.fault("altar", f"has more than {ALTAR_SIZE} runes (OMEGA-INV-08)")
        cards = values["deck"] + values["discard"] + values["looked"]
        cards += [card for card in values["gallery"] if card != NONE]
        cards += [card["card"] for player in players for card in player["egregors"]]
        if sorted(cards) != list(range(CARDS)):
            self.fault("deck", f"the {CARDS} cards are not each in exactly one place (OMEGA-INV-02)")
        if not set(values["certain"]) <= set(values["looked"]):
            self.fault("certain", "must be among the cards in looked")
        held = [token for player in players for token in player["tokens"]]
        seen = held + [token for token in values["tops"] if token != NONE]
        for kind, token in enumerate(self.game.cards.arcana):
            if seen.count(kind) + values["pool"][kind] != token.copies:
                self.fault(f"pool[{kind}]", "does not add up to all copies of the token (OMEGA-INV-03)")
        if sum(values["pool"]) != sum(values["hidden"]):
            self.fault("hidden", f"has {sum(values['hidden'])} tokens, but the pool has {sum(values['pool'])}")

    def _check_turn(self, values: dict[str, Any]) -> None:
        set_up, over = self._phase in _SET_UP, self._phase == Phase.OVER
        fixed = self.game.options.start_player
        if values["start_seat"] < 0 and self._phase not in (set(_SET_UP) - {Phase.DEAL}):
            self.fault("start_seat", "must be set in this phase")
        if fixed is not None and values["start_seat"] != fixed:
            self.fault("start_seat", f"must be {fixed}, as the option start_player says")
        if fixed is None and values["start_seat"] >= 0 and set_up and self._phase != Phase.DEAL:
            self.fault("start_seat", "must not be set before chance has decided it")
        if values["active_seat"] < 0 <= values["start_seat"] or (
            set_up and values["active_seat"] != values["start_seat"]
        ):
            self.fault("active_seat", "must be the seat whose turn it is")
        hands = sum(HANDS[self.game.players])
        dealt = values["dealt"]
        if not (dealt < hands if self._phase == Phase.DEAL else dealt == (0 if set_up else hands)):
            self.fault("dealt", f"{dealt} is impossible in this phase")
        if (values["turn"] == 0) != set_up:
            self.fault("turn", "must be 0 in the set-up, and at least 1 after it")
        if (values["announcer"] >= 0) != (values["ending"] & ~Ending.MAX_TURNS > 0):
            self.fault("announcer", "must be set if and only if an ending has been announced")
        running = values["announcer"] >= 0 and not over
        if running != (values["final_turns_left"] > 0) and not (over and values["ending"] & Ending.MAX_TURNS):
            self.fault("final_turns_left", "must be more than 0 in the final round, and 0 otherwise")
        if over != (
            values["ending"] > 0 and (values["final_turns_left"] == 0 or values["ending"] & Ending.MAX_TURNS > 0)
        ):
            self.fault("ending", "does not fit the phase")
        # An announcement stands before the turns of the final round.
        if (values["disowned"] and not values["gain_used"]) or (values["batch_shown"] and values["disowned"]):
            self.fault("disowned", "must be 0 before an Egregor has been gained (OMEGA-DISOWN-01)")
        # The card that is being disowned still lies in the row while its runes are picked.
        top = self.position.frames[-1] if self.position.frames else pb.FramePosition()
        leaving = int(top.kind) == FrameKind.RECOVER and top.a == values["active_seat"]
        for seat, player in enumerate(values["seats"]):
            most = MAX_ROW if seat == values["active_seat"] and self._phase == Phase.MAIN else FINAL_ROW
            if set_up and (
                player["egregors"]
                or player["tokens"]
                or player["prestige"]
                or player["steps"]
                or player["lost_egregor"]
            ):
                self.fault(f"seats[{seat}]", "can have only runes in the set-up (OMEGA-SETUP-08)")
            gained = sum(card["gained"] for card in player["egregors"])
            if gained > (1 if values["gain_used"] and seat == values["active_seat"] else 0):
                self.fault(
                    f"seats[{seat}].egregors", "at most one can be marked as gained in this turn (OMEGA-MAIN-02)"
                )
            if len(player["egregors"]) == MAX_ROW and not (
                values["gain_used"] and (values["disowned"] == 0 or self.game.options.disown_limit == "any" or leaving)
            ):
                self.fault(
                    f"seats[{seat}].egregors",
                    "has a fifth Egregor, which is possible only in the turn in which it was gained (OMEGA-MAIN-03)",
                )
            if len(player["egregors"]) > most:
                self.fault(f"seats[{seat}].egregors", f"has more than {most} entries (OMEGA-INV-05)")

    def _check_target(self, values: dict[str, Any]) -> None:
        target, place, seat = self.position.batch_target, NONE, NONE
        if self.position.HasField("batch_target"):
            if target.HasField("slot"):
                place = target.slot
                if not 0 <= place < GALLERY_SLOTS or values["gallery"][place] == NONE or target.HasField("seat"):
                    self.fault("batch_target.slot", "must be a slot of the gallery with a card")
                    place = NONE
                elif target.HasField("place"):
                    self.fault("batch_target.place", "must not be set together with slot")
            else:
                seat, place = target.seat, target.place
                others = [s for s in range(self.game.players) if s != values["active_seat"]]
                if seat not in others or not 0 <= place < len(values["seats"][seat]["egregors"]):
                    self.fault("batch_target", "must be an opposing Egregor")
                    place = seat = NONE
                elif not target.HasField("place") or not target.HasField("seat"):
                    self.fault("batch_target", "must have both a seat and a place")
        values["batch_seat"], values["batch_index"] = seat, place
        batch = values["batch"]
        if place == NONE and (any(batch) or self.position.batch_shown):
            self.fault("batch", "must be empty without batch_target")
        if values["active_seat"] >= 0:
            pyramid = values["seats"][values["active_seat"]]["pyramid"]
            if batch[BLACK] or sum(batch) > MAX_LOAD or any(b > p for b, p in zip(batch, pyramid, strict=True)):
                self.fault("batch", "must have coloured runes of the pyramid only (OMEGA-SUMMON-01, OMEGA-SUMMON-02)")

    def _frames(self, values: dict[str, Any]) -> list[tuple[int, int, int, int]]:
        frames = [(int(frame.kind), frame.a, frame.b, frame.c) for frame in self.position.frames]
        if len(frames) > 12:
            self.fault("frames", "more than 12")
        elif self._phase == Phase.DRAW and frames == [(FrameKind.BAG_DRAW, 0, 0, 0)]:
            pass
        elif frames and self._phase not in (Phase.MAIN, Phase.END):
            self.fault("frames", "must be empty in this phase")
        for number, frame in enumerate(frames[:12]):
            if not self._possible(values, frame, number == len(frames) - 1):
                self.fault(f"frames[{number}]", "is impossible in this position")
        kinds = [frame[0] for frame in frames]
        if (values["batch_index"] != NONE) != (FrameKind.BATCH in kinds or values["batch_shown"]):
            self.fault("batch_target", "must be set if and only if a batch is being built or paid")
        if bool(values["looked"]) and not {FrameKind.LOOK, FrameKind.KEY} & set(kinds):
            self.fault("looked", "must be empty while no Key is used")
        if (values["keys"] or values["replaced"]) and not {FrameKind.LOOK, FrameKind.KEY} & set(kinds):
            self.fault("keys", "must be empty while no Key is used")
        owned = len(values["seats"][values["active_seat"]]["egregors"]) if values["active_seat"] >= 0 else 0
        if values["keys"] >> owned or any(place >= owned for place in values["replaced"]):
            self.fault("keys", "there is no Egregor in this place")
        if kinds.count(FrameKind.RECOVER) + kinds.count(FrameKind.LOOK) + kinds.count(FrameKind.KEY) > 1:
            self.fault("frames", "can have only one frame of recovering, looking or replacing a Key")
        if values["batch_shown"] and FrameKind.RECOVER not in kinds:
            self.fault("batch_shown", "must be false: the batch has been paid")
        return frames

    def _possible(self, values: dict[str, Any], frame: tuple[int, int, int, int], top: bool) -> bool:
        kind, a, b, c = frame
        players = values["seats"]
        row = players[values["active_seat"]]["egregors"]
        if kind not in set(FrameKind) or not all(0 <= argument <= 255 for argument in (a, b, c)):
            return False
        kind = FrameKind(kind)
        if self._phase == Phase.END and kind not in (FrameKind.ARCANA, FrameKind.FLIP):
            return False
        if kind in (FrameKind.LIGHTNING, FrameKind.BOOK):
            return a < len(row) and b < CARDS and c >> 4 <= MAX_POWERS and c & 15 <= MAX_EFFECTS
        if kind is FrameKind.RECOVER:
            mine = a == values["active_seat"]
            if a >= len(players) or b >= len(players[a]["egregors"]) or c > MAX_LOAD:
                return False
            aimed = (values["batch_seat"], values["batch_index"]) == (a, b) and values["batch_shown"]
            return len(row) >= 2 and values["batch_index"] == NONE if mine else aimed and len(row) < MAX_ROW
        if kind is FrameKind.RED:
            return a < len(row) and b <= MAX_LOAD and c == 0
        if kind is FrameKind.DRAW:
            return a <= TOKENS and b <= ANY_TYPE and c <= 1
        if kind is FrameKind.CYCLE:
            return a <= TOKENS and b <= ANY_TYPE and c == 0
        if kind is FrameKind.ARCANA:
            return a <= TOKENS and b == c == 0
        if kind is FrameKind.FLIP:
            return a < STACKS and b == c == 0 and values["tops"][a] == NONE and top
        if kind is FrameKind.LOOK:
            return a <= TOKENS and b == c == 0 and top
        if kind is FrameKind.KEY_PLACE:
            return a in values["looked"] and b == c == 0 and top
        if kind is FrameKind.BLACK_TAKE:
            if a >= len(players) or a == values["active_seat"] or b >= len(players[a]["egregors"]) or c:
                return False
            return top and players[values["active_seat"]]["pyramid"][BLACK] > 0
        if kind is FrameKind.TARGET:
            return top and a < BLACK and b == c == 0 and players[values["active_seat"]]["pyramid"][a] > 0
        if kind in (FrameKind.PAIR_FIRST, FrameKind.PAIR_SECOND):
            greens = players[values["active_seat"]]["pyramid"][GREEN]
            return top and greens >= 2 and a < max(len(row), 1) and b == c == 0
        if kind is FrameKind.BATCH:
            fresh = values["batch_index"] != NONE and not values["gain_used"]
            return top and fresh and len(row) < MAX_ROW and (a, b, c) == (0, 0, 0)
        return (a, b, c) == (0, 0, 0) and (top or kind is FrameKind.KEY)


# -- positions that cannot be reached ---------------------------------------


def unreachable(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    """Faults of the values of a position that have passed all checks of single values."""
    if values["turn"] == 0:
        yield from _set_up(game, values)
        return
    yield from _whose_turn(game, values)
    yield from _announced(game, values)
    yield from _unannounced(game, values)
    yield from _marks(game, values)
    yield from _seats(game, values)
    yield from _tokens(game, values)
    yield from _refilled(values)
    yield from _batch(game, values)


def _set_up(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    phase, altar = values["phase"], sum(values["altar"])
    gallery = sum(card != NONE for card in values["gallery"])
    tops = [token != NONE for token in values["tops"]]
    if altar < ALTAR_SIZE and phase != Phase.SETUP_ALTAR:
        yield Fault("altar", "must be full: it is filled first (OMEGA-SETUP-01)")
    if (gallery < GALLERY_SLOTS and phase > Phase.SETUP_GALLERY) or (gallery and phase == Phase.SETUP_ALTAR):
        yield Fault("gallery", "the gallery is laid out after the altar (OMEGA-SETUP-02)")
    if (not all(tops) and phase > Phase.SETUP_ARCANA) or (any(tops) and phase < Phase.SETUP_ARCANA):
        yield Fault("tops", "tokens are turned up after the gallery is laid out (OMEGA-SETUP-03)")
    if any(count != TOKENS // STACKS - top for count, top in zip(values["hidden"], tops, strict=True)):
        yield Fault("hidden", "does not add up to seven tokens in each stack (OMEGA-SETUP-03)")
    if values["discard"] or values["looked"] or any(values["absent"]) or values["bag_was_empty"]:
        yield Fault("phase", "is the set-up, but cards have been discarded or looked at, or the bag has been searched")
    if any(values[name] for name in _MARKS):
        yield Fault("phase", "is the set-up, but actions of a turn are marked as done")
    left = values["dealt"]
    expected = [0] * game.players
    for place, size in enumerate(HANDS[game.players]):
        expected[(max(values["start_seat"], 0) + place) % game.players] = min(size, left)
        left -= min(size, left)
    for seat, player in enumerate(values["seats"]):
        if sum(player["pyramid"]) != expected[seat] or any(player["shown"]):
            yield Fault(
                f"seats[{seat}].pyramid",
                f"must have the {expected[seat]} runes dealt so far, none of them shown (OMEGA-SETUP-06)",
            )


def _whose_turn(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    turn, active = values["turn"], values["active_seat"]
    owner = (values["start_seat"] + turn - 1) % game.players
    if owner != active:
        yield Fault("turn", f"turn {turn} is seat {owner}'s, not seat {active}'s (OMEGA-SETUP-05)")
    most = game.options.max_turns
    if values["ending"] & Ending.MAX_TURNS:
        if values["phase"] != Phase.OVER or turn != most:
            yield Fault(
                "ending", f"cannot be the turn limit: is too high: the option max_turns ends the game after turn {most}"
            )
    elif most and turn > most:
        yield Fault("turn", f"is too high: the option max_turns ends the game after turn {most}")


def _announced(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    announcer, over = values["announcer"], values["phase"] == Phase.OVER
    if announcer < 0:
        return
    after = (values["active_seat"] - announcer) % game.players
    if not over and after == 0:
        yield Fault(
            "announcer", "cannot be the active seat, as the announcer has no turn in the final round (OMEGA-FINAL-01)"
        )
    elif values["final_turns_left"] != game.players - after - over:
        yield Fault("final_turns_left", f"must be {game.players - after - over} (OMEGA-FINAL-01)")
    if values["turn"] <= after:
        yield Fault("announcer", "cannot be a seat that has not had a turn yet")
    # Nothing of what ended the game changes in the turns of the others.
    player = values["seats"][announcer]
    for name, ending, met in (
        ("arcanic", Ending.ARCANIC, _arcanic(game, player)),
        ("runic", Ending.RUNIC, _runic(player)),
    ):
        if bool(values["ending"] & ending) != met:
            verb = "is" if met else "is not"
            yield Fault("ending", f"the {name} ending {verb} met by seat {announcer} (OMEGA-END-07)")


def _arcanic(game: Omega, player: dict[str, Any]) -> bool:
    return len(player["tokens"]) >= game.rules.arcanic


def _runic(player: dict[str, Any]) -> bool:
    return bool(sum(sum(card["load"]) == MAX_LOAD for card in player["egregors"]) == FINAL_ROW)


def _unannounced(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    """Faults of endings: one that a seat has met is announced at the end of its turn."""
    if values["announcer"] >= 0:
        return
    phase, over = values["phase"], values["phase"] == Phase.OVER
    for seat, player in enumerate(values["seats"]):
        if seat == values["active_seat"] and phase not in _BEFORE_MAIN and not over:
            continue
        if _arcanic(game, player):
            yield Fault(
                f"seats[{seat}].tokens", "are enough to end the game, which must have been announced (OMEGA-END-01)"
            )
        if _runic(player):
            yield Fault(
                f"seats[{seat}].egregors",
                "has four full Egregors, which end the game and must have been announced (OMEGA-END-03)",
            )
    end_of_turn = game.options.exhaustion == "end_of_turn"
    if over and (not sum(values["bag"]) if end_of_turn else values["bag_was_empty"]):
        yield Fault("bag_was_empty", "the empty bag ends the game, which must have been announced (OMEGA-END-04)")


def _marks(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    """Faults of the marks that are cleared when a turn begins (OMEGA-TURN-03)."""
    phase = values["phase"]
    if phase in _BEFORE_MAIN:
        for name in _MARKS:
            if values[name]:
                yield Fault(name, "must not be set before the main phase (OMEGA-TURN-03)")
    if not sum(values["bag"]) and not values["bag_was_empty"]:
        yield Fault("bag_was_empty", "must be true: the bag is empty (OMEGA-END-05)")
    if (values["last_mask"] or values["green_pending"]) and phase != Phase.MAIN:
        yield Fault("last_mask" if values["last_mask"] else "green_pending", "must be false outside the main phase")
    if values["last_mask"] and not values["mask_moved"]:
        yield Fault("mask_moved", "must be true, as last_mask is")
    if values["green_pending"] and game.options.green_pairing != "consecutive":
        yield Fault("green_pending", "must be false: the option green_pairing is explicit")
    if values["disowned"] > 1 and game.options.disown_limit != "any":
        yield Fault("disowned", "must be at most 1 (OMEGA-DISOWN-03)")
    row = values["seats"][values["active_seat"]]["egregors"]
    if values["gain_used"] and not values["batch_shown"] and not any(card["gained"] for card in row):
        yield Fault("gain_used", "is true, but no Egregor is marked as gained")


def _seats(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    for seat, player in enumerate(values["seats"]):
        at, active = f"seats[{seat}]", seat == values["active_seat"]
        if player["lost_egregor"] and active:
            yield Fault(f"{at}.lost_egregor", "must be false for the active seat (OMEGA-TURN-03)")
        elif player["lost_egregor"] and not player["egregors"]:
            yield Fault(
                f"{at}.lost_egregor",
                "must be false without Egregors, as the only one cannot be captured (OMEGA-CAPTURE-07)",
            )
        # A gain a turn: no more Egregors, and no more captures, than turns.
        order = (seat - values["start_seat"]) % game.players
        turns = max(0, (values["turn"] - 1 - order) // game.players + 1) - (active and not values["gain_used"])
        if len(player["egregors"]) > turns:
            yield Fault(
                f"{at}.egregors", f"has more Egregors than it could gain by turn {values['turn']} (OMEGA-MAIN-02)"
            )
        if player["prestige"] > turns:
            yield Fault(
                f"{at}.prestige", f"is more than the seat could capture by turn {values['turn']} (OMEGA-MAIN-02)"
            )
        for place, card in enumerate(player["egregors"]):
            if card["old_blacks"] > card["load"][BLACK]:
                yield Fault(
                    f"{at}.egregors[{place}].old_blacks",
                    f"is more than the {card['load'][BLACK]} black runes on the Egregor",
                )
            powers = game.cards.egregors[card["card"]].powers
            books = sum(1 << number for number, power in enumerate(powers) if power.trigger == "book")
            if card["used"] & ~(books if active and values["phase"] not in _BEFORE_MAIN else 0):
                yield Fault(
                    f"{at}.egregors[{place}].used",
                    "has a bit that is not a book power used in this turn (OMEGA-POWER-02)",
                )


def _tokens(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    """Faults of the numbers of tokens: each passing of the Eye gives one (OMEGA-ARCANA-01, OMEGA-ARCANA-03)."""
    choices = sum(a for kind, a, _, _ in values["frames"] if kind == FrameKind.ARCANA)
    held = sum(len(player["tokens"]) for player in values["seats"])
    for seat, player in enumerate(values["seats"]):
        tokens, passings = len(player["tokens"]), game.rules.passings(0, player["steps"])
        due = choices if seat == values["active_seat"] else 0
        at = f"seats[{seat}].tokens"
        if tokens + due > passings:
            yield Fault(at, f"{tokens} held and {due} due, but the Eye was passed {passings} times (OMEGA-ARCANA-01)")
        elif game.options.arcana_cap:
            if tokens > game.rules.arcanic or tokens + due < min(passings, game.rules.arcanic):
                yield Fault(
                    at, f"the Eye was passed {passings} times, and at most {game.rules.arcanic} tokens are held"
                )
        elif tokens + due < passings and held + due < TOKENS:
            yield Fault(at, f"{tokens} held and {due} due, but the Eye was passed {passings} times (OMEGA-ARCANA-01)")


def _refilled(values: dict[str, Any]) -> Iterator[Fault]:
    """Faults of altar and gallery after the Upkeep, and of the stacks of Arcana."""
    phase = values["phase"]
    if phase in (Phase.UPKEEP_GALLERY, Phase.DRAW) and sum(values["altar"]) < ALTAR_SIZE and sum(values["bag"]):
        yield Fault("altar", "must be full after the Upkeep (OMEGA-UPKEEP-01)")
    if phase == Phase.DRAW and NONE in values["gallery"] and values["deck"] + values["discard"]:
        yield Fault("gallery", "must be full after the Upkeep (OMEGA-UPKEEP-02)")
    flipping = {a for kind, a, _, _ in values["frames"] if kind == FrameKind.FLIP}
    for stack, (top, hidden) in enumerate(zip(values["tops"], values["hidden"], strict=True)):
        if top == NONE and hidden and stack not in flipping:
            yield Fault(f"tops[{stack}]", "must have the next token of the stack, face up (OMEGA-ARCANA-02)")
    for number, (kind, *_) in enumerate(values["frames"]):
        below = values["frames"][number - 1][0] if number else None
        if kind == FrameKind.BAG_DRAW and phase != Phase.DRAW and below != FrameKind.DRAW:
            yield Fault(f"frames[{number}]", "is a draw that no power has granted")


def _batch(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    place, seat = values["batch_index"], values["batch_seat"]
    if place == NONE:
        return
    owner = None if seat == NONE else values["seats"][seat]
    card = values["gallery"][place] if owner is None else owner["egregors"][place]["card"]
    if sum(count > 0 for count in values["batch"]) > (1 if game.cards.egregors[card].primitive else 2):
        yield Fault("batch", "has too many colours (OMEGA-SUMMON-03)")
    if owner is None:
        return
    if values["announcer"] >= 0 and not game.options.final_turn_capture:
        yield Fault("batch_target", "cannot be captured in the final round (OMEGA-CAPTURE-09)")
    if owner["mask"] == place or len(owner["egregors"]) < 2 or owner["lost_egregor"]:
        yield Fault("batch_target", "cannot be captured (OMEGA-CAPTURE-06 to OMEGA-CAPTURE-08)")
    if sum(owner["egregors"][place]["load"]) >= MAX_LOAD:
        yield Fault("batch_target", "cannot be captured: it carries ten runes (OMEGA-CAPTURE-05)")
