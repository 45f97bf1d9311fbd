"""Checks of play: legal lists, refusals, typed actions, chance, and the end of a match."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message

from cext.random import Rng
from cext.state import CHANCE, SIMULTANEOUS, TERMINAL
from gamepacks.api.errors import IllegalAction
from gamepacks.api.kit.base import CheckFailed, Node, Subject, chance_problem, check, legal_problem
from gamepacks.api.kit.messages import changes
from gamepacks.api.types import Code, Seat

REASON = re.compile(r"[A-Z][A-Z0-9_]*")
ODD_CODES = (-1, -(2**31), 2**31 - 1, 2**30)
ODD_SEATS = (-3, -2, 31, 32, 1000)
SAMPLE = 6
"""Maximum number of a node's codes, seats or messages that are tried."""


@check("legal-lists", cost="one walk per game; p lists, p * 10 lookups")
def legal_lists(subject: Subject) -> str:
    """A legal list holds each action once, as a 32-bit code that can be applied; a code is legal if and only if it is
    listed, unless the list is a sample of a finer grid; and exactly the seats that must decide have actions."""
    rng = Rng(subject.seed)
    longest = 0
    for node in subject.nodes():
        _check_seats_to_act(node)
        for seat in range(node.game.players):
            codes = node.state.legal(seat)
            must_act = bool(node.state.seats_to_act() >> seat & 1)
            node.require(
                bool(codes) == must_act,
                f"seat {seat} {'must' if must_act else 'need not'} decide, but has {len(codes)} legal actions",
            )
            node.require(not legal_problem(codes), legal_problem(codes))
            node.require(node.state.legal(seat) == codes, f"a second call gives another legal list of seat {seat}")
            longest = max(longest, len(codes))
        for seat in ODD_SEATS:
            node.require(not node.state.legal(seat), f"seat {seat}, which does not exist, has legal actions")
        by_default = node.state.legal()
        if node.actor >= 0:
            node.require(by_default == node.state.legal(node.actor), "legal() is not legal(actor())")
        else:
            node.require(not by_default, "legal() returns actions although no single seat acts")
        if node.seat >= 0:
            _check_listed(node, rng)
    return f"longest list {longest}"


def _check_seats_to_act(node: Node) -> None:
    seats_to_act = node.state.seats_to_act()
    if node.actor >= 0:
        node.require(node.actor < node.game.players, f"actor() is {node.actor} at {node.game.players} players")
        node.require(
            seats_to_act == 1 << node.actor, f"seat {node.actor} acts, but seats_to_act() is {seats_to_act:#b}"
        )
    elif node.actor == SIMULTANEOUS:
        node.require(
            seats_to_act < 1 << node.game.players, f"seats_to_act() is {seats_to_act:#b} at {node.game.players} players"
        )
    else:
        node.require(
            node.actor in (CHANCE, TERMINAL),
            f"actor() returns {node.actor}, which is neither a seat nor a constant of cext.state",
        )
        node.require(seats_to_act == 0, f"no seat acts, but seats_to_act() is {seats_to_act:#b}")


def _check_listed(node: Node, rng: Rng) -> None:
    codes = node.state.legal(node.seat)
    for code in some(codes, rng):
        node.require(
            node.state.is_legal(code, node.seat), f"{code} is listed for seat {node.seat}, but is_legal() is False"
        )
        node.after(code)
    sampled = node.game.sampled(node.state)
    node.require(isinstance(sampled, bool), f"sampled() returns {sampled!r}, not a bool")
    node.require(node.game.capabilities.continuous or not sampled, "sampled() is True in a game that is not continuous")
    if sampled:
        return
    listed = set(codes)
    for code in [*(near + step for near in some(codes, rng) for step in (-1, 1)), *ODD_CODES, rng.below(1 << 31)]:
        if code not in listed and -(2**31) <= code < 1 << 31:
            legal = node.state.is_legal(code, node.seat)
            node.require(not legal, f"{code} is not listed for seat {node.seat}, but is_legal() is True")


@check("illegal-input", cost="one walk per game; 25 refusals at some nodes")
def illegal_input(subject: Subject) -> str:
    """Illegal actions (negative, huge, another seat's, out of turn, after the end) are refused with IllegalAction,
    which has a reason in capitals and a message, and the state does not change."""
    rng = Rng(subject.seed)
    reasons: set[str] = set()
    for node in subject.sampled_nodes():
        before = node.state.to_bytes()
        for code, seat in _illegal(node, rng):
            reasons.add(_check_refusal(node, code, seat))
            node.require(node.state.to_bytes() == before, f"the refused action {code} of seat {seat} changed the state")
    return f"reasons: {', '.join(sorted(reasons))}"


def _illegal(node: Node, rng: Rng) -> Iterator[tuple[int, int]]:
    """Yield codes with seats for which they are illegal."""
    choices = node.choices()
    odd = [*ODD_CODES, rng.below(1 << 31), *(code + 1 for code in some(choices, rng) if code < 2**31 - 1)]
    for code in odd:
        if not node.state.is_legal(code, node.seat):
            yield code, node.seat
    own = choices or [0]
    seats_to_act = node.state.seats_to_act()
    for seat in [*range(node.game.players), *ODD_SEATS]:
        if seat != node.seat and not (seat >= 0 and seats_to_act >> seat & 1):
            yield rng.choice(own), seat
    if node.actor in (SIMULTANEOUS, TERMINAL):
        yield rng.choice(own), -1


def _check_refusal(node: Node, code: int, seat: int) -> str:
    state = node.state.clone()
    before = state.to_bytes()
    try:
        state.apply(code, seat)
    except IllegalAction as refused:
        node.require(bool(REASON.fullmatch(refused.reason)), f"the reason {refused.reason!r} is not a word in capitals")
        node.require(bool(refused.message), f"the refusal {refused.reason} has no message")
        node.require(state.to_bytes() == before, f"the refused action {code} of seat {seat} changed the state")
        return refused.reason
    except Exception as error:
        raise CheckFailed(f"action {code} of seat {seat} raised {type(error).__name__}, not IllegalAction") from error
    node.fail(f"the illegal action {code} of seat {seat} was accepted")


@check("typed-actions", cost="one walk per game; a labels and 40 messages at some nodes")
def typed_actions(subject: Subject) -> str:
    """Every action has a message that parses back to its code, and a label that is unique in the list; every other
    message is parsed to a code or refused with IllegalAction."""
    rng = Rng(subject.seed)
    tried = 0
    for node in subject.sampled_nodes():
        choices = node.choices()
        labels = [node.game.label(node.state, Code(code)) for code in choices]
        for label in labels:
            fits = isinstance(label, str) and label.strip() and "\n" not in label
            node.require(bool(fits), f"the label {label!r} is not one line of text")
        node.require(len(set(labels)) == len(labels), f"two choices have the same label, among {sorted(labels)[:20]}")
        if node.seat < 0:
            continue
        for code in some(choices, rng):
            message = node.game.action(node.state, Code(code))
            wanted = node.game.messages.action
            node.require(isinstance(message, wanted), f"action() returns a {type(message).__name__}")
            sent = wanted.FromString(message.SerializeToString())
            back = node.game.parse(node.state, Seat(node.seat), sent)
            node.require(back == code, f"the message of action {code} parses to {back}")
            for wrong in [wanted(), *(change.applied(sent) for change in some(list(changes(sent)), rng))]:
                _check_parse(node, wrong)
                tried += 1
    return f"{tried} odd messages"


def _check_parse(node: Node, message: Message) -> None:
    try:
        code: Any = node.game.parse(node.state, Seat(node.seat), message)
    except IllegalAction as refused:
        node.require(bool(REASON.fullmatch(refused.reason)), f"the reason {refused.reason!r} is not a word in capitals")
        return
    except Exception as error:
        raise CheckFailed(f"parse() of {_short(message)} raised {type(error).__name__}, not IllegalAction") from error
    node.require(not legal_problem([code]), f"parse() of {_short(message)} returned {code!r}, which is not a code")
    if not node.state.is_legal(code, node.seat):
        _check_refusal(node, code, node.seat)


@check("chance", cost="one walk per game; the outcomes of p nodes")
def chance(subject: Subject) -> str:
    """At chance nodes, and only there, there are outcomes: each once, with a whole weight of at least 1, and each
    can be applied."""
    rng = Rng(subject.seed)
    most = 0
    for node in subject.nodes():
        outcomes = node.state.chance()
        if node.actor != CHANCE:
            node.require(not outcomes, "there are outcomes although chance does not act")
            continue
        node.require(not chance_problem(outcomes), chance_problem(outcomes))
        node.require(node.state.chance() == outcomes, "a second call of chance() gives other outcomes")
        most = max(most, len(outcomes))
        for code in some([code for code, _ in outcomes], rng):
            node.require(node.state.is_legal(code), f"outcome {code} is listed, but is_legal() is False")
            node.after(code)
    return f"at most {most} outcomes" if most else "no chance nodes"


@check("termination", cost="one walk per game")
def termination(subject: Subject) -> str:
    """With default options random play ends within the capability card's max_plies, and every state on the way has a
    seat to act, an outcome or a result."""
    longest = 0
    for walk in subject.walks(default=True):
        node = None
        for node in walk:
            longest = max(longest, node.ply)
        if node is None or node.actor != TERMINAL:
            raise CheckFailed(f"the match has not ended after {walk.limit} plies, the card's max_plies")
    return f"longest match {longest} of {subject.game.capabilities.max_plies} plies"


@check("returns", cost="one walk per game; p returns")
def returns(subject: Subject) -> str:
    """Every seat has a return at any time; at the end each is within the card's bounds, and together they are 0 if the
    card says so."""
    stated = subject.game.capabilities
    low, high = math.inf, -math.inf
    for node in subject.nodes():
        values = node.state.returns()
        node.require(
            isinstance(values, tuple) and len(values) == node.game.players,
            f"returns() gives {values!r}; it must be a tuple with a number for each of {node.game.players} seats",
        )
        node.require(all(math.isfinite(value) for value in values), f"returns() gives {values}")
        if node.actor != TERMINAL:
            continue
        low, high = min(low, *values), max(high, *values)
        within = all(stated.min_return - 1e-9 <= value <= stated.max_return + 1e-9 for value in values)
        node.require(within, f"the returns {values} are not from {stated.min_return} to {stated.max_return}")
        if stated.zero_sum:
            node.require(
                abs(math.fsum(values)) < 1e-9, f"the returns {values} do not add up to 0, but the card says zero_sum"
            )
    return f"from {low:g} to {high:g}"


def some(items: list[Any], rng: Rng) -> list[Any]:
    """Returns at most SAMPLE of the items, picked at random."""
    if len(items) <= SAMPLE:
        return items
    items = list(items)
    rng.shuffle(items)
    return items[:SAMPLE]


def _short(message: Message) -> str:
    text = str(message).replace("\n", " ").strip()
    return f"{type(message).__name__}({text[:80]})"
