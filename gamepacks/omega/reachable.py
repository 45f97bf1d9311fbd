"""Positions that no game comes to, though each of their values is in its range: faults by what follows from what."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from gamepacks.api.errors import Fault
from gamepacks.omega.codes import BLACK, NOWHERE, Ending, Frame, Phase

if TYPE_CHECKING:
    from gamepacks.omega.game import Omega

_HANDS = {2: (4, 5), 3: (4, 5, 6), 4: (4, 5, 5, 6)}
"""OMEGA-SETUP-06, by order of play."""
_BEFORE_MAIN = {Phase.UPKEEP_ALTAR, Phase.UPKEEP_GALLERY, Phase.DRAW}
_MARKS = ("gain_used", "disowned", "last_mask", "mask_moved", "red_used", "green_pending")
FULL, ROW = 10, 4


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
    yield from _refilled(values)
    yield from _batch(game, values)


def _set_up(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    phase, altar = values["phase"], sum(values["altar"])
    gallery = sum(card != NOWHERE for card in values["gallery"])
    tops = [token != NOWHERE for token in values["top"]]
    if altar < 6 and phase != Phase.SETUP_ALTAR:
        yield Fault("altar", "the altar is filled first (OMEGA-SETUP-01)")
    if (gallery < 4 and phase > Phase.SETUP_GALLERY) or (gallery and phase == Phase.SETUP_ALTAR):
        yield Fault("gallery", "the gallery is laid out after the altar (OMEGA-SETUP-02)")
    if (not all(tops) and phase > Phase.SETUP_ARCANA) or (any(tops) and phase < Phase.SETUP_ARCANA):
        yield Fault("tops", "tokens are turned up after the gallery is laid out (OMEGA-SETUP-03)")
    if any(count != 7 - top for count, top in zip(values["hidden"], tops, strict=True)):
        yield Fault("hidden", "each stack has seven tokens (OMEGA-SETUP-03)")
    if values["discard"] or values["looked"] or any(values["absent"]) or values["latch"]:
        yield Fault("phase", "nothing has been discarded, looked at or searched in the set-up")
    if any(values[name] for name in _MARKS):
        yield Fault("phase", "nothing has been done in the set-up")
    left = values["dealt"]
    expected = [0] * game.players
    for place, size in enumerate(_HANDS[game.players]):
        expected[(max(values["start"], 0) + place) % game.players] = min(size, left)
        left -= min(size, left)
    for seat, player in enumerate(values["players"]):
        if sum(player["pyramid"]) != expected[seat] or any(player["shown"]):
            yield Fault(f"seats[{seat}].pyramid", f"{expected[seat]} runes have been dealt to it (OMEGA-SETUP-06)")


def _whose_turn(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    turn, active = values["turn"], values["active"]
    owner = (values["start"] + turn - 1) % game.players
    if owner != active:
        yield Fault("turn", f"turn {turn} is seat {owner}'s, not seat {active}'s (OMEGA-SETUP-05)")
    most = game.options.max_turns
    if values["ending"] & Ending.MAX_TURNS:
        if values["phase"] != Phase.OVER or turn != most:
            yield Fault("ending", f"the turn limit (option max_turns: {most}) has not ended the game")
    elif most and turn > most:
        yield Fault("turn", f"the option max_turns ends the game after turn {most}")


def _announced(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    announcer, over = values["announcer"], values["phase"] == Phase.OVER
    if announcer < 0:
        return
    after = (values["active"] - announcer) % game.players
    if not over and after == 0:
        yield Fault("announcer", "the announcer has no turn in the final round (OMEGA-FINAL-01)")
    elif values["final_left"] != game.players - after - over:
        yield Fault("final_turns_left", f"{game.players - after - over} turns are left (OMEGA-FINAL-01)")
    if values["turn"] <= after:
        yield Fault("announcer", "it has not had a turn yet")
    # Nothing of what ended the game changes in the turns of the others.
    player = values["players"][announcer]
    for name, ending, met in (
        ("arcanic", Ending.ARCANIC, _arcanic(game, player)),
        ("runic", Ending.RUNIC, _runic(player)),
    ):
        if bool(values["ending"] & ending) != met:
            said = "is" if met else "is not"
            yield Fault("ending", f"the {name} ending {said} met by seat {announcer} (OMEGA-END-07)")


def _arcanic(game: Omega, player: dict[str, Any]) -> bool:
    return len(player["tokens"]) >= game.rules.arcanic


def _runic(player: dict[str, Any]) -> bool:
    return bool(sum(sum(card["load"]) == FULL for card in player["row"]) == ROW)


def _unannounced(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    """An ending that a seat has met is announced at the end of its turn."""
    if values["announcer"] >= 0:
        return
    phase, over = values["phase"], values["phase"] == Phase.OVER
    for seat, player in enumerate(values["players"]):
        if seat == values["active"] and phase not in _BEFORE_MAIN and not over:
            continue
        if _arcanic(game, player):
            yield Fault(f"seats[{seat}].tokens", "so many end the game: that has been announced (OMEGA-END-01)")
        if _runic(player):
            yield Fault(
                f"seats[{seat}].egregors", "four full ones end the game: that has been announced (OMEGA-END-03)"
            )
    end_of_turn = game.options.exhaustion == "end_of_turn"
    if over and (not sum(values["bag"]) if end_of_turn else values["latch"]):
        yield Fault("latch", "the empty bag ends the game: that has been announced (OMEGA-END-04)")


def _marks(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    """What is marked until the next turn begins (OMEGA-TURN-03)."""
    phase = values["phase"]
    if phase in _BEFORE_MAIN:
        for name in _MARKS:
            if values[name]:
                yield Fault(name, "nothing has been done in this turn yet (OMEGA-TURN-03)")
    if not sum(values["bag"]) and not values["latch"]:
        yield Fault("latch", "the bag is empty now (OMEGA-END-05)")
    if (values["last_mask"] or values["green_pending"]) and phase != Phase.MAIN:
        yield Fault("last_mask" if values["last_mask"] else "green_pending", "another action has followed")
    if values["last_mask"] and not values["mask_moved"]:
        yield Fault("mask_moved", "the last action has moved it")
    if values["green_pending"] and game.options.green_pairing != "consecutive":
        yield Fault("green_pending", "the option green_pairing is explicit")
    if values["disowned"] > 1 and game.options.disown_limit != "any":
        yield Fault("disowned", "one a turn (OMEGA-DISOWN-03)")
    row = values["players"][values["active"]]["row"]
    if values["gain_used"] and not values["batch_shown"] and not any(card["gained"] for card in row):
        yield Fault("gain_used", "the Egregor that was gained is not there")


def _seats(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    for seat, player in enumerate(values["players"]):
        at, active = f"seats[{seat}]", seat == values["active"]
        if player["lost"] and active:
            yield Fault(f"{at}.lost_one", "it is cleared when the own turn begins (OMEGA-TURN-03)")
        elif player["lost"] and not player["row"]:
            yield Fault(f"{at}.lost_one", "the only Egregor cannot be captured (OMEGA-CAPTURE-07)")
        # A gain a turn: no more Egregors, and no more captures, than turns.
        order = (seat - values["start"]) % game.players
        turns = max(0, (values["turn"] - 1 - order) // game.players + 1) - (active and not values["gain_used"])
        if len(player["row"]) > turns:
            yield Fault(f"{at}.egregors", f"more than it could gain by turn {values['turn']} (OMEGA-MAIN-02)")
        if player["prestige"] > turns:
            yield Fault(f"{at}.prestige", f"more than it could capture by turn {values['turn']} (OMEGA-MAIN-02)")
        for place, card in enumerate(player["row"]):
            if card["old_blacks"] > card["load"][BLACK]:
                yield Fault(f"{at}.egregors[{place}].old_blacks", f"{card['load'][BLACK]} blacks lie there")
            powers = game.cards.egregors[card["card"]].powers
            books = sum(1 << number for number, power in enumerate(powers) if power.trigger == "book")
            if card["used"] & ~(books if active and values["phase"] not in _BEFORE_MAIN else 0):
                yield Fault(f"{at}.egregors[{place}].used", "no book power that was used in this turn (OMEGA-POWER-02)")


def _refilled(values: dict[str, Any]) -> Iterator[Fault]:
    """What the Upkeep fills, and what follows a token that was taken."""
    phase = values["phase"]
    if phase in (Phase.UPKEEP_GALLERY, Phase.DRAW) and sum(values["altar"]) < 6 and sum(values["bag"]):
        yield Fault("altar", "it is filled before (OMEGA-UPKEEP-01)")
    if phase == Phase.DRAW and NOWHERE in values["gallery"] and values["deck"] + values["discard"]:
        yield Fault("gallery", "it is filled before (OMEGA-UPKEEP-02)")
    flipping = {a for kind, a, _, _ in values["stack"] if kind == Frame.FLIP}
    for stack, (top, hidden) in enumerate(zip(values["top"], values["hidden"], strict=True)):
        if top == NOWHERE and hidden and stack not in flipping:
            yield Fault(f"tops[{stack}]", "the next token of the stack is turned up (OMEGA-ARCANA-02)")
    for number, (kind, *_) in enumerate(values["stack"]):
        below = values["stack"][number - 1][0] if number else None
        if kind == Frame.BAG_DRAW and phase != Phase.DRAW and below != Frame.DRAW:
            yield Fault(f"frames[{number}]", "nothing has given this draw")


def _batch(game: Omega, values: dict[str, Any]) -> Iterator[Fault]:
    place, seat = values["batch_index"], values["batch_seat"]
    if place == NOWHERE:
        return
    owner = None if seat == NOWHERE else values["players"][seat]
    card = values["gallery"][place] if owner is None else owner["row"][place]["card"]
    if sum(count > 0 for count in values["batch"]) > (1 if game.cards.egregors[card].primitive else 2):
        yield Fault("batch", "too many colours (OMEGA-SUMMON-03)")
    if owner is None:
        return
    if values["announcer"] >= 0 and not game.options.final_turn_capture:
        yield Fault("batch_target", "no captures in the final round (OMEGA-CAPTURE-09)")
    if owner["mask"] == place or len(owner["row"]) < 2 or owner["lost"]:
        yield Fault("batch_target", "it cannot be captured (OMEGA-CAPTURE-06 to OMEGA-CAPTURE-08)")
    if sum(owner["row"][place]["load"]) >= FULL:
        yield Fault("batch_target", "it carries ten runes (OMEGA-CAPTURE-05)")
