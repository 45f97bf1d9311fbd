"""Whether a position knows what its stage of the game knows, and no more: set-up, cabales, cycle, plans, the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gamepacks.api.errors import Fault
from gamepacks.olomoc.codes import MINISTRY
from gamepacks.olomoc.constants import AXE, EndCause
from gamepacks.olomoc.engine.state_base import OlomocRules
from gamepacks.olomoc.positions.frames import LAID, Kind

ROUAGES, RANKS, PICKS, PLANNED = 6, 3, 6, 5
# Stages of the frame GAME, as in build.pyx.
NUMBERS, AGENDA, LAYOUT, MARKERS, SCENERY, EDGES, FALLEN, HANDS, BUILDING, PLAYING = 0, 1, 2, 3, 4, 5, 6, 7, 9, 10
_PHASES = {**dict.fromkeys((1, 2, 3), 0), **{stage: stage - 3 for stage in range(4, 9)}, 9: 6, 10: 6}
"""The phase, by the stage of the frame CYCLE."""


def progress_faults(rules: OlomocRules, values: Mapping[str, Any]) -> Iterator[Fault]:
    """The faults of a position against the progress of the game. The frames of the position must be sound."""
    frames = values["frames"]
    if not frames:
        yield from _ending(values)
        return
    if any(values["won"]):
        yield Fault("won", "nobody has won or lost yet")
    stage = frames[0]["pc"]
    yield from _set_up(rules, values, stage)
    yield from _cabales(rules, values, stage)
    if stage == PLAYING:
        yield from _cycle(values, frames)
    elif any(card >= 0 for card in values["plan"]) or any(values["used"]) or values["phase"] or values["cycle"]:
        yield Fault("cycle", "no cycle has begun")
    starting = any(
        frame["kind"] == Kind.MECHANISM and frame["pc"] == 1 and not any(frame["values"][:1]) for frame in frames
    )
    if values["starting"] != starting:
        yield Fault("starting", "tells whether a start Mechanism is carried out (OLO-MECH-05)")


def _ending(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Faults of the end: its cause and the winners (OLO-END-01 to 03, 06)."""
    cause, full = values["over"], [fiel >= 3 for fiel in values["fiel"]]
    if cause == EndCause.BOTH_FIEL:
        true, won = all(full), [-1, -1]
    elif cause == EndCause.FIEL:
        true, won = sum(full) == 1, [-1 if lost else 1 for lost in full]
    else:
        true = values["traque"] >= 3 if cause == EndCause.TRAQUE else values["cycle"] == 4
        better = values["vp"][0] - values["vp"][1]
        sign = (better > 0) - (better < 0)
        won = [sign, -sign]
    if not true:
        yield Fault("over", "that is not how the game has ended")
    if values["won"] != won:
        yield Fault("won", "does not follow from how the game has ended (OLO-END-06)")


def _set_up(rules: OlomocRules, values: Mapping[str, Any], stage: int) -> Iterator[Fault]:
    """OLO-SETUP-01 to 05."""
    dealt = [*values["hand"], *values["used"], *_ministries(values["plan"])]
    for field, known, since in (
        ("first_seat", values["first_seat"] >= 0, NUMBERS), ("agenda", values["agenda"] >= 0, AGENDA),
        ("layout", values["layout"] >= 0, LAYOUT), ("line", min(values["line"]) >= 0, EDGES),
        ("fallen", values["fallen"] >= 0, FALLEN), ("hand", any(dealt), HANDS),
    ):  # fmt: skip
        if known != (stage > since) and not (field == "layout" and rules.placed and not known):
            yield Fault(field, "must be known by now" if stage > since else "cannot be known yet")
    pool = len(rules.ruleset.pool) if rules.placed else 0
    laid = len(values["pieces"])
    if (laid >= pool if stage == SCENERY else laid != (pool if stage > SCENERY else 0)) and rules.placed:
        yield Fault("pieces", f"{laid} of {pool} pieces are laid")
    if rules.placed and values["layout"] >= 0:
        yield Fault("layout", "player 0 lays the scenery")
    if stage > EDGES and sorted(values["line"]) != sorted(rules.ruleset.agendas[values["agenda"]].edges):
        yield Fault("line", "are not the edges of the agenda (OLO-SETUP-04)")
    if stage > HANDS and values["fallen"] >= 0:
        yield from _hands(values)


def _hands(values: Mapping[str, Any]) -> Iterator[Fault]:
    """Three of the six ministries left, and an Axe, for each player: in hand, planned or used (OLO-SETUP-05)."""
    whole = [0, 0]
    for player in range(2):
        planned = _ministries(_plan(values, player))
        whole[player] = values["hand"][player] | values["used"][player] | sum(1 << card for card in planned)
        if whole[player].bit_count() != 4 or not whole[player] >> AXE & 1:
            yield Fault(f"hand[{player}]", "an Axe and three ministries in hand, plan and used (OLO-SETUP-05)")
    if whole[0] & whole[1] != 1 << AXE or (whole[0] | whole[1]) >> values["fallen"] & 1:
        yield Fault("hand", "a ministry is in two places, or is the fallen one")


def _cabales(rules: OlomocRules, values: Mapping[str, Any], stage: int) -> Iterator[Fault]:
    """Faults of the rouages and gear that are taken (OLO-CABAL-01 to 03), and of the rouages in play."""
    secret = rules.options.build == "secret"
    done = 0
    if stage == BUILDING:
        done = (values["frames"][1]["values"] or [0])[LAID]
    elif stage == PLAYING:
        done = PICKS if secret else 2 * PICKS
    half = done if secret else (done + 1) // 2
    if done > (PICKS if secret else 2 * PICKS) - (stage == BUILDING):
        yield Fault("frames[1].values[0]", "all cards are taken")
    for player in range(2):
        profiles = values["profile"][RANKS * player : RANKS * player + RANKS]
        gear = values["equipment"][RANKS * player : RANKS * player + RANKS]
        if secret:
            taken, equipped = min(done, RANKS), max(0, done - RANKS)
        else:
            # Rouages are taken by player 1 first, gear by player 2 first.
            taken = min(RANKS, half if player == 0 else done // 2)
            equipped = max(0, done - PICKS + (player == 1)) // 2 if done > PICKS else 0
        if sum(card >= 0 for card in profiles) != taken or (secret and min([*profiles[:taken], 0]) < 0):
            yield Fault("profile", f"player {player} has taken {taken} rouages by now")
        if sum(card >= 0 for card in gear) != equipped or (secret and min([*gear[:equipped], 0]) < 0):
            yield Fault("equipment", f"player {player} has taken {equipped} cards by now")
        for place, card in enumerate(profiles):
            if card >= 0 and rules.ruleset.profiles[card].rank != place + 1:
                yield Fault(f"profile[{RANKS * player + place}]", f"is not of rank {place + 1}")
    if (sum(figure["index"] < ROUAGES for figure in values["figures"]) == ROUAGES) != (stage == PLAYING):
        yield Fault("figures", "the rouages of the cabales are there when these are complete, and not before")
    if stage < PLAYING and (any(values["cards"]) or any(values["propaganda"])):
        yield Fault("cards", "come with the cabales")
    if stage < BUILDING and (any(values["pile"]) or values["open_card"] >= 0 or values["discard"]):
        yield Fault("pile", "the Artefact cards come with the cabales")


def _cycle(values: Mapping[str, Any], frames: Sequence[Mapping[str, Any]]) -> Iterator[Fault]:
    """The phase, the plans and the ministries used, by the stage of the cycle (OLO-CYC-01, OLO-PLAN-01, OLO-EOC-02)."""
    stage = frames[1]["pc"]
    if not 1 <= values["cycle"] <= 4:
        yield Fault("cycle", f"{values['cycle']} is not from 1 to 4")
    if values["phase"] != _PHASES[stage]:
        yield Fault("phase", f"is {_PHASES[stage]} at this stage")
    above = frames[2] if len(frames) > 2 else None
    closed = stage == 10 and above is not None and above["pc"] == 3
    if closed and values["cycle"] != 4:
        yield Fault("cycle", "another cycle follows")
    if stage <= 2 or closed:
        laid = 0
    elif above is not None and above["kind"] == Kind.PLANNING:
        laid = (above["values"] or [0])[0]
    else:
        laid = PLANNED
    for player in range(2):
        plan = _plan(values, player)
        if sum(card >= 0 for card in plan) != laid or len(_ministries(plan)) != min(laid, 1):
            yield Fault("plan", f"player {player} has laid {laid} cards by now, one of them a ministry")
        shown = 0 if laid < PLANNED else (1 << min(values["phase"], PLANNED) + 1) - 2
        if shown & ~values["shown"][player] or (laid < PLANNED and values["shown"][player]):
            yield Fault(
                f"shown[{player}]", "the cards of this phase and those before lie open, none before the planning"
            )
        if values["used"][player].bit_count() != values["cycle"] - (not closed):
            yield Fault(f"used[{player}]", "a ministry is used up at the end of each cycle")


def _plan(values: Mapping[str, Any], player: int) -> list[int]:
    plan: list[int] = values["plan"][6 * player + 1 : 6 * player + 6]
    return plan


def _ministries(plan: Sequence[int]) -> list[int]:
    return [card - MINISTRY for card in plan if card >= MINISTRY]
