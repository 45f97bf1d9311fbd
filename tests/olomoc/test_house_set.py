"""The house set against its requirements (section 8 of RULES.md), but for the balance, which self-play measures."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest
from shapely import Point, Polygon, unary_union

from gamepacks.olomoc import Olomoc
from gamepacks.olomoc.cards import SOURCE, OlomocCards, compile_rules
from gamepacks.olomoc.engine.rules import OlomocState
from gamepacks.olomoc.ruleset import Ruleset
from gamepacks.olomoc.v1.olomoc_enums import Decision
from tests.olomoc.scenes import (
    FRONTAL,
    NO,
    RIPOSTE,
    Rouage,
    Script,
    advance,
    changed_to,
    do,
    figure,
    plan,
    rolls,
    target,
    use,
)  # fmt: skip


@cache
def cards() -> OlomocCards:
    return SOURCE.own.pick("house-1").data


@cache
def rules() -> Ruleset:
    return compile_rules(cards())


def test_ministries_of_the_house_set() -> None:
    """8.1.1: ranks from 4 to 6 with equal ones; every slot for two cards at least, no single slot twice."""
    ministries = cards().ministries
    ranks = Counter(card.rank for card in ministries)
    assert set(ranks) <= {4, 5, 6} and max(ranks.values()) >= 2
    slots = Counter(slot for card in ministries for slot in card.slots)
    assert all(slots[slot] >= 2 for slot in range(1, 6))
    single = [card.slots for card in ministries if len(card.slots) == 1]
    assert len(single) == len(set(single))
    assert len({str(card.do) for card in ministries}) == 8, "eight different capacities"
    assert next(card for card in ministries if card.affiliation == "axe").name == "Animosité"


def test_artefacts_of_the_house_set() -> None:
    """Section 8.1.2: six numbers for each player, and the required effects."""
    artefacts = cards().artefacts
    numbers = [number for card in artefacts for number in card.printed()]
    assert Counter(number[0] for number in numbers) == {"1": 6, "2": 6}
    assert len(artefacts) in (7, 8)
    assert {card.copies for card in artefacts} >= {1, 2}
    ops = Counter({op: sum(card.copies for card in artefacts if op in _ops(card.do)) for op in ("spawn", "push")})
    assert ops["spawn"] >= 2 and ops["push"] >= 1
    every = {op for card in artefacts for op in _ops(card.do)}
    assert every >= {"state", "taint", "noirceur"}
    assert any(not card.do for card in artefacts), "a harmless one"
    assert next(card for card in artefacts if card.name == "Faille quantique").scope == "bloc"
    assert any(card.name == "Pluie de Fiel" for card in artefacts)


def _ops(do: object) -> set[str]:
    found: set[str] = set()
    for effect in do if isinstance(do, tuple) else ():
        if isinstance(effect, tuple):
            found |= _ops(effect)
            continue
        found.add(effect.op)
        for name in ("do", "then", "otherwise", "table", "options"):
            inner = getattr(effect, name, ())
            found |= _ops(tuple(getattr(part, "do", part) for part in inner) if name == "options" else inner)
    return found


def test_factions_and_gear() -> None:
    """8.1.3 and 8.1.4: two cabales' worth of rouages and gear in each faction."""
    assert len(cards().factions) >= 2
    for faction in cards().factions:
        own = [card for card in cards().profiles if faction.id in card.factions]
        assert all(sum(card.rank == rank for card in own) >= 2 for rank in (1, 2, 3))
        names = {card.id for card in own}
        ministries = {name for card in own for name in card.ministries}
        fitting = [card.affiliation for card in cards().gear]
        assert sum(gear.faction == faction.id for gear in fitting) >= 2
        assert sum(gear.ministry in ministries for gear in fitting if gear.ministry) >= 2
        assert sum(gear.rouage in names for gear in fitting if gear.rouage) >= 2
    gear = {card.name: card for card in cards().gear}
    assert len(gear) >= 14 and {card.kind for card in gear.values()} == {"equipment", "don"}
    assert gear["Disrupteur quantique"].affiliation.ministry == "progres"
    assert gear["Disrupteur quantique"].kind == "equipment"
    for name in ("Chronographe", "Manifeste de l'Objet Dieu"):
        events = [capacity.on.event for capacity in gear[name].capacities if capacity.on]
        assert events == ["mechanism"]
    costly = [card for card in gear.values() if card.kind == "don" and any(c.cost.noirceur for c in card.capacities)]
    assert len(costly) >= 2


def test_agendas_and_hostiles() -> None:
    """8.1.5 and 8.1.6."""
    agendas = cards().agendas
    assert len(agendas) >= 3
    assert any("roll" in _ops(capacity.do) for card in agendas for capacity in card.capacities), "a study"
    assert any(marker.zone for card in agendas for marker in card.markers), "zones"
    assert next(card for card in agendas if card.name == "la Gargoule").hostiles
    bases = {card.base for card in cards().hostiles}
    assert 30 in bases and bases & {40, 50}
    first = [line.target[0] for card in cards().hostiles for line in card.instinct]
    assert set(first) == {"highest_rank", "nearest"}


@pytest.mark.rule("OLO-SETUP-03")
def test_layouts_of_the_house_set() -> None:
    """8.1.7: four to six solid pieces on 8 to 15 % of the board, one large near the centre; symmetric."""
    layouts = rules().layouts
    assert len(layouts) >= 4
    for layout in layouts:
        shapes = [piece.shape for piece in layout.pieces]
        solid = [shape for shape in shapes if not shape.zone]
        assert 4 <= len(solid) <= 6, layout.name
        assert 8 <= 100 * unary_union([_area(shape) for shape in solid]).area / 1600**2 <= 15, layout.name
        middle = [shape for shape in solid if shape.obstructing and _area(shape).distance(Point(800, 800)) < 200]
        assert any(_across(shape) >= 200 for shape in middle), layout.name
        whole = unary_union([_area(shape) for shape in shapes])
        turned = unary_union([Polygon([(1600 - x, 1600 - y) for x, y in _area(s).exterior.coords]) for s in shapes])
        assert whole.symmetric_difference(turned).area < 40 * len(shapes) ** 2 * 20, layout.name
    assert any(piece.shape.zone for layout in layouts for piece in layout.pieces)
    assert any(piece.tainted for layout in layouts for piece in layout.pieces)


def _area(shape: object) -> Polygon:
    corners = shape.corners  # type: ignore[attr-defined]
    radius = shape.radius  # type: ignore[attr-defined]
    return Point(corners[0]).buffer(radius / 127) if radius else Polygon(corners)


def _across(shape: object) -> float:
    left, low, right, high = _area(shape).bounds
    return min(right - left, high - low)


def test_life_lines_of_the_house_set() -> None:
    """8.1.8: five to nine boxes, a T in each, no two R at the start."""
    for card in cards().profiles:
        assert 5 <= len(card.life) <= 9, card.name
        assert "T" in card.life and card.life.count("R") <= 2, card.name
        assert not card.life.startswith("RR"), card.name


def test_house_set_honours_known_facts() -> None:
    """Section 8.2."""
    known = {card.name: card for card in cards().profiles}
    petra, kubik, dominik = known["Pétra Kantor"], known["Kubik Oktobar"], known["Dominik Kralov"]
    assert (petra.ministries, petra.technique, petra.combat, petra.rank) == (("securite",), 2, 4, 3)
    assert petra.shoot >= 1 and petra.life[0] == "R" and petra.life[4:6] == "ST" and len(petra.life) > 6
    assert set(petra.life[1:4]) <= {"R", "S"}
    assert (kubik.ministries, kubik.dodge) == (("progres",), 3)
    assert dominik.ministries == ("effort",) and dominik.combat >= 1
    assert {kubik.rank, dominik.rank} == {1, 2}
    assert set(petra.factions) & set(kubik.factions) & set(dominik.factions)
    assert known["Hynek Novotny"].shoot == 5
    assert "Jana Alena Novak" in known


def duel(agenda: str) -> OlomocState:
    """Pétra beside Hynek, each one box from the end, in a match of the house set."""
    made = Olomoc.configure(2, {"agenda": agenda, "bloc": "marsh", "start_number": "seat0", "build": "secret"})
    state = made.initial_state()
    assert isinstance(state, OlomocState)
    how = Script((plan(2), plan(3)), cabales=HOUSE)
    advance(state, how, lambda s: s.decision in (Decision.ACT, Decision.ENTER) and 2 in s.active_figures())
    if state.decision == Decision.ENTER:
        do(state, state.legal(0)[0])
    stand = {index: Rouage((200 + 240 * index, 1500)) for index in (0, 1, 3, 5)}
    stand |= {
        entry["index"]: Rouage((entry["x"], entry["y"])) for entry in state.dump()["figures"] if entry["index"] >= 6
    }
    boxes = {card.id: len(card.life) for card in cards().profiles}
    petra, hynek = boxes["petra-kantor"] - 1, boxes["hynek-novotny"] - 1
    stand |= {2: Rouage((700, 260), ticked=petra), 4: Rouage((860, 260), ticked=hynek)}
    return changed_to(state, stand)


@pytest.mark.parametrize("agenda", ["survey", "hearths", "gargoule"])
def test_a_kill_is_worth_points(agenda: str) -> None:
    """Section 8.1.5: it gives as many as a study, even if the killer is out of action by then."""
    state = duel(agenda)
    do(state, use(2, FRONTAL), target(4), NO)
    rolls(state, 4)
    while state.decision in (Decision.FATE, Decision.TACTIC):
        do(state, NO)
    assert figure(state, 4)["where"] == 3
    assert state.dump()["vp"] == [2, 0]
    both = duel(agenda)
    do(both, use(2, FRONTAL), target(4), RIPOSTE)
    rolls(both, 4)
    rolls(both, 1)
    while both.decision in (Decision.FATE, Decision.TACTIC):
        do(both, NO)
    assert (figure(both, 2)["where"], figure(both, 4)["where"]) == (3, 3)
    assert both.dump()["vp"] == [2, 2]


HOUSE = (("kubik-oktobar", "dominik-kralov", "petra-kantor"), ("zdena-malik", "hynek-novotny", "jana-novak"))
