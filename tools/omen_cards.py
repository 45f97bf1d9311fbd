"""Generates random card sets of Omen with valid abilities of the whole vocabulary.

Every set that the loader accepts must be playable; see tools/omen_fuzz.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, get_args

from cext.random import Rng
from gamepacks.omen.cards import checks, program, queries
from gamepacks.omen.cards.files import OmegaFile, TraitsFile
from gamepacks.omen.cards.grammar import CARD_WHATS, CITY_WHATS, SEAT_GRANTS, SEAT_WHATS, SIDED
from gamepacks.omen.cards.language import Ability, Forbid
from gamepacks.omen.v1.omen_enums import EventType

Data = dict[str, Any]
FileT = TypeVar("FileT", OmegaFile, TraitsFile)
TYPES = get_args(queries.TypeName)
TRAITS = get_args(queries.TraitName)
STEPS = get_args(queries.StepName)
CMPS = get_args(queries.CmpName)
STATS = get_args(queries.StatName)
PICKS = ("you", "opp", "owner", "random", "highest:strength", "lowest:cost", "lowest:strength")
EVENTS = (
    "turn_start", "step_start", "draw", "to_hand", "reshuffle", "gain_coins", "lose_coins", "take_coins", "pay", "play",
    "deploy", "enter", "move", "change_side", "return_hand", "discard", "destroy", "mill", "ability", "prize_used",
    "prize_taken", "enrage", "war_begin", "war_result", "city_depleted", "feat", "relic_placed",
)  # fmt: skip
BEFORE = [event.name.lower() for event in EventType if event in program.BEFORE]
CAUSES = ("play", "ability", "offering", "limit", "war", "beast", "hero", "free_trait", "reward")
NUMBERS = [what for what in CARD_WHATS if what != "type"]
FORBIDS = get_args(Forbid.model_fields["what"].annotation)
TRIES = 60


class AbilityGenerator:
    """Generator of random abilities: of the edition omega if ``omega`` is true, otherwise of traits."""

    def __init__(self, rng: Rng, omega: bool) -> None:
        self.rng = rng
        self.omega = omega
        self.names: dict[str, str] = {}

    def one(self, options: Any) -> Any:
        """Returns a random element."""
        return options[self.rng.below(len(options))]

    def chance(self, percent: int) -> bool:
        """Returns True with this probability, in percent."""
        return self.rng.below(100) < percent

    def bound(self, kind: str) -> str | None:
        """Returns a bound variable of a kind; None if there is none."""
        names = [name for name, held in self.names.items() if held == kind]
        return self.one(names) if names else None

    def bind(self, kind: str) -> str | None:
        """Bind a new variable and return it; None if there are too many."""
        if len(self.names) >= 6:
            return None
        name = f"v{len(self.names)}"
        self.names[name] = kind
        return name

    # -- amounts and predicates ------------------------------

    def seat(self) -> str:
        """Returns a value that names a single seat."""
        name = self.bound("seat")
        return name if name and self.chance(40) else str(self.one(("you", "you", "opp", "active", "opposing")))

    def city(self) -> str:
        """Returns the City of a selector."""
        name = self.bound("city")
        return name if name and self.chance(40) else str(self.one(("any", "any", "here", "other")))

    def amount(self, depth: int = 2) -> Any:
        """Returns an amount, mostly a small number."""
        if depth == 0 or self.chance(65):
            return self.rng.below(4)
        name = self.bound("number")
        if name and self.chance(30):
            return {"var": name}
        cards = self.bound("cards")
        if cards and self.chance(20):
            return {"stat": self.one(STATS[:3]), "of": cards}
        inner = depth - 1
        return self.one(
            (
                lambda: {"count": self.sel(inner)}, lambda: {"units": self.sel(inner, city=True)},
                lambda: {"total": self.one(STATS[:3]), "of": self.sel(inner, city=True)},
                lambda: {"coins": self.seat()}, lambda: {"hand": self.seat()}, lambda: {"deck": True},
                lambda: {"counter": self.seat()},
                lambda: {"prizes": "here"}, lambda: {"feats": self.seat()}, lambda: {"turn": True},
                lambda: {"cities": self.pred(inner)}, lambda: {"events": self.evf(inner)},
                lambda: {"add": [self.amount(inner), self.amount(inner)]},
                lambda: {self.one(("min", "max")): [self.amount(inner), self.amount(inner)]},
                lambda: {"sub": [self.amount(inner), self.amount(inner)]},
                lambda: {"mul": [self.amount(inner), self.rng.below(5) - 1]},
                lambda: {self.one(("half_down", "half_up")): self.amount(inner)},
            )
        )()  # fmt: skip

    def pred(self, depth: int = 2) -> Data:
        """Returns a condition."""
        inner = depth - 1
        if depth <= 0:
            return {"cmp": [self.rng.below(3), self.one(CMPS), self.rng.below(3)]}
        options: list[Callable[[], Data]] = [
            lambda: {"cmp": [self.amount(inner), self.one(CMPS), self.amount(inner)]},
            lambda: {"exists": self.existing(inner)},
            lambda: {"not": self.pred(inner)},
            lambda: {self.one(("all", "any")): [self.pred(inner), self.pred(inner)]},
            lambda: {self.one(("each_city", "some_city")): self.pred(inner)},
            lambda: {"happened": self.evf(inner), "op": self.one(CMPS), "n": self.amount(inner)},
            lambda: {"step": [self.one(STEPS), self.one(STEPS)]},
            lambda: {"turn_of": self.seat()},
            lambda: {"first_turn": True},
            lambda: {self.one(("war_torn", "depleted")): "here"},
        ]
        cards = self.bound("cards")
        if cards:
            options.append(lambda: {"is": cards, "like": self.filters({}, inner)})
        return dict(self.one(options)())

    def filters(self, sel: Data, depth: int) -> Data:
        """Add filters of cards to a selector, and return it."""
        if self.chance(35):
            if self.omega:
                sel[self.one(("type", "type", "not_type"))] = [self.one(TYPES)]
            else:
                sel["trait"] = [self.one(TRAITS), self.one(TRAITS)]
        if self.chance(15):
            sel[self.one(STATS[:3])] = {self.one(CMPS): self.amount(depth - 1 if depth > 0 else 0)}
        if self.chance(10):
            sel[self.one(("self", "not_self"))] = True
        if self.omega and self.chance(6):
            sel["enraged"] = self.chance(50)
        for key in ("same_as", "not"):
            cards = self.bound("cards")
            if cards and self.chance(15):
                sel[key] = cards
        named = self.bound("type" if self.omega else "trait")
        if named and self.chance(30):
            sel["type" if self.omega else "trait"] = named
        return sel

    def sel(self, depth: int = 2, zones: Any = None, city: bool = False, picks: bool = False) -> Data:
        """Returns a selector."""
        zone = "city" if city else self.one(zones or ("city", "city", "hand", "discard", "used"))
        side = self.bound("seat")
        sel: Data = {"zone": zone}
        if zone in SIDED:
            sel["side"] = side if side and self.chance(40) else self.one(("you", "opp", "any"))
        if zone == "city":
            sel["city"] = self.city()
        if zone in ("deck_top", "discard") and self.chance(20):
            sel["top"] = 1 + self.rng.below(3)
        self.filters(sel, depth)
        if picks:
            if self.chance(50):
                sel["n"] = self.one((lambda: "all", lambda: {"up_to": self.amount(0)}, lambda: self.amount(1)))()
            if self.chance(20):
                sel["pick"] = self.one(PICKS)
            if self.chance(15):
                name = self.bind("cards")
                if name:
                    sel["as"] = name
        return sel

    def existing(self, depth: int) -> Data:
        """Returns a selector for the predicate ``exists``."""
        sel = self.sel(depth)
        if self.chance(30):
            sel["n"] = self.amount(0)
        if self.chance(20):
            sel["weigh"] = True
        return sel

    def evf(self, depth: int = 1, types: Any = EVENTS, past: bool = True) -> Data:
        """Returns a filter of events that have happened, or of events that trigger an ability."""
        evf: Data = {"type": self.one(types)}
        for key in ("by", "who"):
            if self.chance(35):
                evf[key] = self.one(("you", "opp", "active", "opposing"))
        if self.chance(20):
            kept, self.names = self.names, {}
            evf["card"] = self.filters({}, 0)
            self.names = kept
        if self.chance(15):
            evf["city"] = "here"
        if self.chance(12):
            evf["cause"] = [self.one(CAUSES), self.one(CAUSES)]
        if past and self.chance(30):
            evf["since"] = self.one(("turn", "step", "ability"))
        if past and evf["type"].endswith("coins") and self.chance(50):
            evf["sum"] = True
        return evf

    # -- effects ---------------------------------------------

    def cost(self) -> Data:
        """Returns a cost."""
        return dict(
            self.one(
                (
                    lambda: {"coins": self.amount(1)},
                    lambda: {"discard": {"zone": "hand", "n": 1 + self.rng.below(2)}},
                    lambda: {"destroy": {"zone": "city"}}, lambda: {"return": {"zone": "city"}},
                )
            )()
        )  # fmt: skip

    def who(self) -> str:
        """Returns the seat of an effect."""
        return "each" if self.chance(12) else self.seat()

    def block(self, depth: int) -> list[Data]:
        """Returns some effects; names bound in them are not available after them."""
        kept = dict(self.names)
        effects = [self.effect(depth) for _ in range(1 + self.rng.below(2 + (depth > 1)))]
        self.names = kept
        return effects

    def inside(self, kind: str, name: str, depth: int) -> list[Data]:
        """Returns a block in which a name is bound."""
        kept = dict(self.names)
        self.names[name] = kind
        effects = self.block(depth)
        self.names = kept
        return effects

    def lasting(self, effect: Data) -> Data:
        """Add a duration to an effect, and return it."""
        if self.chance(70):
            effect["for"] = self.one(("war", "step", "turn", "next_own_turn"))
        elif self.chance(50):
            effect["until"] = self.one(("turn_end", "your_next_turn"))
        return effect

    def mod(self, static: bool = False) -> Data:
        """Returns a modifier."""
        kind = self.rng.below(3)
        effect: Data = {"op": "mod"}
        if kind == 0:
            effect |= {"what": self.one(NUMBERS), "sel": self.sel(1, ("city", "city", "hand"), picks=not static)}
            if static:
                effect["sel"] = {
                    "zone": self.one(("city", "hand")),
                    "side": self.one(("you", "opp", "any")),
                    "n": "all",
                }
        elif kind == 1:
            effect |= {"what": self.one(SEAT_WHATS), "who": self.who()}
        else:
            effect |= {"what": self.one(CITY_WHATS), "city": self.one(("any", "here"))}
        if effect["what"] != "never_war":
            effect[self.one(("by", "by", "set"))] = self.rng.below(5) - (2 if self.chance(50) else 0)
        return effect

    def effect(self, depth: int) -> Data:
        """Returns an effect of any kind."""
        plain: list[Callable[[], Data]] = [
            lambda: {"op": "draw", "who": self.who(), "n": self.amount(1), "optional": self.chance(20)},
            lambda: {"op": "coins", "who": self.who(), "n": self.amount()},
            lambda: {"op": "lose_coins", "who": self.who(), "n": self.amount(1)},
            lambda: {"op": "take_coins", "from": self.one(("opp", "opp", "you")), "n": self.amount(1)},
            lambda: {"op": "discard", "sel": self.sel(1, ("hand",), picks=True)},
            lambda: {"op": "look", "zone": "deck_top", "n": self.amount(0), **self.named("cards")},
            lambda: {"op": "look", "zone": "hand", "side": "opp", **self.named("cards")},
            lambda: {"op": "look", "zone": "hand", "side": "opp", "n": 1, **self.named("cards")},
            lambda: {"op": "look", "zone": "prize", "city": "here", **self.named("cards")},
            lambda: {"op": "look", "zone": "deck", "side": self.one(("you", "opp")), **self.named("cards")},
            lambda: {"op": "resolve", "city": self.one(("any", "here"))},
            lambda: {"op": "counter", "who": self.who(), self.one(("by", "set")): self.amount(1)},
            lambda: {"op": "put", "sel": {"zone": "used"}, "to": "prize", "city": "here"},
            lambda: self.lasting({"op": "forbid", "what": "enter", "city": self.one(("any", "here"))}),
            lambda: self.lasting({"op": "mod", "what": "cost", "city": "here", "by": self.rng.below(3)}),
            lambda: {"op": "reveal", "zone": "deck_top", "n": self.amount(0), **self.named("cards")},
            lambda: {"op": "reveal", "zone": "hand", "sel": {"zone": "hand", "n": 1}, **self.named("cards")},
            lambda: {
                "op": "put",
                "sel": self.sel(1, ("hand", "discard", "deck_top", "reveal", "set"), picks=True),
                **self.one(
                    (
                        lambda: {"to": "hand", "who": self.seat()},
                        lambda: {"to": self.one(("deck_top", "deck_bottom", "discard", "out"))},
                    )
                )(),
            },
            lambda: {"op": "shuffle", "who": self.one(("you", "opp", "each"))},
            lambda: {
                "op": "deploy",
                "sel": self.sel(1, ("hand", "discard", "reveal", "set"), picks=True),
                "city": self.one(("any", "here")),
                "pay": self.one(("free", "full", {"less": 1})),
                "side": self.one(("you", "you", "opp")),
                "played": self.chance(30),
            },
            lambda: {"op": "destroy", "sel": self.sel(1, ("city",), picks=True)},
            lambda: {
                "op": "return",
                "sel": self.sel(1, ("city",), picks=True),
                "to": self.one(("hand", "hand", "deck_top", "deck_bottom")),
            },
            lambda: {"op": "move", "sel": self.sel(1, ("city",), picks=True), "city": self.one(("other", "any"))},
            lambda: {"op": "seize", "sel": self.sel(1, ("city",), picks=True) | {"side": "opp"}},
            lambda: {"op": "give", "sel": self.sel(1, ("city",), picks=True) | {"side": "you"}},
            lambda: {"op": "reveal", "zone": "hand", "side": self.one(("you", "opp")), "n": self.amount(0)},
            lambda: {"op": "swap", "a": {"zone": "city"}, "b": {"zone": "city", "side": self.one(("you", "opp"))}},
            lambda: {"op": "run", "sel": self.sel(1, ("city", "hand"), picks=True), "hook": self.one(
                ("enter", "portent", "hand_use", "use"))},
            lambda: {"op": "take_prize", "city": "any", "who": self.seat()},
            lambda: {"op": "ready_prize", "sel": {"zone": "used"}},
            lambda: self.lasting(self.mod()),
            lambda: self.lasting(
                {"op": "grant", "who": self.seat(), "what": self.one(SEAT_GRANTS), "n": self.rng.below(3)}
            ),
            lambda: self.lasting(
                {"op": "grant", "who": self.seat(), "what": "play_in", "step": [self.one(STEPS), self.one(STEPS)]}
            ),
            lambda: self.lasting({"op": "grant", "what": "portent_use", "sel": {"zone": "city", "n": "all"}}),
            lambda: self.lasting({"op": "forbid", "who": self.who(), "what": self.one(FORBIDS)}),
            lambda: self.lasting(
                {"op": "forbid", "sel": self.sel(0, ("city", "hand"), picks=True), "what": self.one(FORBIDS[7:])}
            ),
        ]  # fmt: skip
        if self.omega:
            plain += [
                lambda: {"op": "enrage", "sel": self.sel(1, ("city",), picks=True)},
                lambda: {"op": "unrage", "sel": self.sel(1, ("city",), picks=True)},
                lambda: {"op": "shed_prize", "who": self.who(), "n": 1},
                lambda: {"op": "relic", "do": "place", "sel": {}, "city": self.one(("any", "here"))},
                lambda: {"op": "relic", "do": "remove", "sel": {"side": self.one(("you", "opp", "any"))}},
                lambda: {"op": "claim", "kind": self.one(("feat", "challenge"))},
            ]
        if depth <= 0 or self.chance(70):
            return dict(self.one(plain)())
        return self.control(depth - 1)

    def apart(self, depth: int) -> list[Data]:
        """Returns a block in which the names bound outside are not available."""
        kept, self.names = self.names, {}
        effects = self.block(depth)
        self.names = kept
        return effects

    def named(self, kind: str) -> Data:
        """Returns, with some probability, the key ``as`` with a new variable; otherwise nothing."""
        name = self.bind(kind) if self.chance(60) else None
        return {"as": name} if name else {}

    def control(self, depth: int) -> Data:
        """Returns an effect that controls other effects."""

        def each() -> Data:
            over = self.one(("cities", "seats", self.sel(1)))
            name = f"e{depth}"
            kind = {"cities": "city", "seats": "seat"}.get(over, "cards") if isinstance(over, str) else "cards"
            return {"op": "for_each", "over": over, "as": name, "do": self.inside(kind, name, depth)}

        def name() -> Data:
            what = self.one(("type" if self.omega else "trait", "number", "seat"))
            bound = self.bind(what)
            most = {"max": 1 + self.rng.below(5)} if what == "number" else {}
            return {"op": "name", "what": what, "as": bound or "spare", **most}

        return dict(
            self.one(
                (
                    lambda: {
                        "op": "choose",
                        "who": self.seat(),
                        "options": [{"label": f"option {n}", "do": self.block(depth)} for n in range(2)],
                    },
                    lambda: {"op": "may", "who": self.seat(), "do": self.block(depth)},
                    lambda: {"op": "later", "do": self.apart(depth)},
                    lambda: {"op": "roll", "sides": 2 + self.rng.below(5), "as": self.bind("number") or "spare"},
                    lambda: {"op": "pay", "cost": self.cost(), "then": self.block(depth)},
                    lambda: {"op": "pay", "cost": self.cost(), "then": self.block(depth), "else": self.block(depth)},
                    lambda: {"op": "if", "cond": self.pred(), "then": self.block(depth), "else": self.block(depth)},
                    each,
                    lambda: {"op": "repeat", "n": self.amount(1), "do": self.block(depth), "may": self.chance(40)},
                    lambda: {"op": "let", "name": self.bind("number") or "spare", "amount": self.amount()},
                    name,
                    lambda: {"op": "choose_city", "as": self.bind("city") or "spare"},
                )
            )()
        )

    # -- abilities -------------------------------------------

    def ability(self, hook: str) -> Data:
        """Returns an ability with a hook."""
        self.names = {}
        ability: Data = {"hook": hook}
        if hook == "claim":
            return ability | {"cond": self.pred()}
        if hook == "triumph":
            return ability | {"cond": self.pred(), "step": [self.one(STEPS[:3]), self.one(("war", "offering"))]}
        if hook == "static":
            return (
                ability
                | {"do": [self.one((self.mod, self.still))()]}
                | ({"when": self.pred(1)} if self.chance(30) else {})
            )
        if hook == "end_game":
            return ability | {"do": [{"op": "score", "who": self.seat(), "n": self.amount()}]}
        if hook in ("use", "react"):
            ability["step"] = [self.one(STEPS), self.one(STEPS), "surge"]
            ability["turn"] = self.one(("own", "opp", "any"))
        if hook == "react":
            ability["timing"] = self.one(("before", "before", "after"))
            ability["event"] = self.evf(1, BEFORE if ability["timing"] == "before" else EVENTS, past=False)
        if hook == "auto":
            ability["event"] = self.evf(1, past=False)
        if hook == "discarded" and self.chance(50):
            ability["event"] = self.evf(1, ("discard",), past=False)
        if self.chance(20):
            ability["when"] = self.pred(1)
        if self.chance(15):
            ability["cond"] = self.pred(1)
        if self.chance(20):
            ability["limit"] = self.one(("turn", "game"))
        if hook in ("use", "react", "enter", "portent", "auto") and self.chance(15):
            ability["cost"] = self.cost()
        if hook in ("enter", "portent", "auto") and self.chance(15):
            ability["may"] = True
        ability["do"] = self.block(2)
        if hook == "react" and ability["timing"] == "before" and self.chance(60):
            ability["do"].append(self.one(({"op": "cancel"}, {"op": "replace", "do": [{"op": "coins", "n": 1}]})))
        return ability

    def still(self) -> Data:
        """Returns a static ability that forbids something."""
        return {"op": "forbid", "what": self.one(FORBIDS), "who": self.one(("you", "opp", "each"))}

    def valid(self, hook: str, on: str, label: str | None = None) -> Data | None:
        """Returns an ability that the loader accepts on a kind of card; None if many tries failed."""
        for _ in range(TRIES):
            data = self.ability(hook)
            if label:
                data["label"] = label
            try:
                ability = Ability.model_validate(tuples(data))
            except ValueError:
                continue
            everything = frozenset({*STATS, "weight", "type"})
            if not [*checks.check_card((ability,), (), everything, on)]:
                return data
        return None


def omega_set(seed: int) -> OmegaFile:
    """Returns a random card set of the edition omega. Raises ValueError if the loader refuses it as a whole."""
    generator = AbilityGenerator(Rng(seed), True)

    def some(hook: str, on: str) -> list[Data]:
        return [generator.valid(hook, on) or {"hook": hook, "do": [{"op": "draw"}]}]

    def card(name: str, abilities: list[Data], **more: Any) -> Data:
        return {"id": name, "name": name, "abilities": abilities, **more}

    def stats() -> Data:
        return {"cost": generator.rng.below(5), "offering": generator.rng.below(4), "strength": generator.rng.below(6)}

    units = []
    for number in range(24):
        more = generator.valid(
            generator.one(("auto", "static", "discarded", "destroyed", "offered", "end_game")), "soldier"
        )
        extra = [more] if more and generator.chance(40) else []
        units.append(card(f"s{number}", some("enter", "soldier") + extra, type="soldier", **stats()))
    units += [card(f"b{n}", some("hand_use", "beast"), type="beast", **stats()) for n in range(12)]
    units += [card(f"o{n}", some("portent", "oracle"), type="oracle", **stats()) for n in range(12)]
    for number in range(12):
        both = [
            generator.valid("enter", "spirit", label) or {"hook": "enter", "label": label, "do": [{"op": "draw"}]}
            for label in "ab"
        ]
        units.append(card(f"p{number}", both, type="spirit", invoke=generator.rng.below(6), **stats()))
    for number in range(6):
        hero = generator.valid(generator.one(("use", "react")), "hero")
        hero = hero or {"hook": "use", "step": ["surge"], "do": [{"op": "draw"}]}
        units.append(card(f"h{number}", [hero], type="hero", **stats() | {"cost": 0}))
    rewards = []
    for number in range(6):
        prize = generator.valid("use", "reward") or {"hook": "use", "do": [{"op": "draw"}]}
        rewards.append(card(f"w{number}", [prize | {"step": ["surge"], "turn": "own"}], copies=2))
    claim = {"hook": "claim", "cond": {"cmp": [{"coins": "you"}, "ge", 5]}}
    whims = []
    for number in range(5):
        whim = generator.valid(generator.one(("use", "react")), "whim")
        whim = whim or {"hook": "use", "step": ["surge"], "do": [{"op": "draw"}]}
        whims.append(card(f"t{number}", [whim], hold_points=generator.rng.below(5) - 2))
    relics = []
    for number in range(6):
        relic = generator.valid(generator.one(("use", "react", "auto", "static", "end_game")), "relic")
        relics.append(card(f"x{number}", [relic or {"hook": "end_game", "do": [{"op": "score"}]}]))
    return checked(OmegaFile, {
        **head(seed), "game": "omen", "units": units, "rewards": rewards,
        "feats": [card(f"f{n}", [generator.valid("claim", "feat") or claim]) for n in range(6)],
        "challenges": [card(f"c{n}", [generator.valid("claim", "challenge") or claim]) for n in range(6)],
        "whims": whims, "relics": relics,
    })  # fmt: skip


def traits_set(seed: int) -> TraitsFile:
    """Returns a random card set of the edition traits. Raises ValueError if the loader refuses it as a whole."""
    generator = AbilityGenerator(Rng(seed), False)
    hooks = {"BOLSTER": "enter", "JILT": "hand_use", "GLEAN": "portent", "TRIUMPH": "triumph"}
    units = []
    for number in range(30):
        traits = sorted({generator.one(TRAITS) for _ in range(generator.rng.below(4))})
        abilities = []
        for trait in list(traits):
            if trait in hooks:
                ability = generator.valid(hooks[trait], "trait")
                if ability is None:
                    traits.remove(trait)
                else:
                    abilities.append(ability)
        units.append({
            "id": f"u{number}", "name": f"u{number}", "traits": traits, "abilities": abilities,
            "copies": 1 + generator.rng.below(3), "cost": generator.rng.below(5), "offering": generator.rng.below(4),
            "strength": generator.rng.below(6),
        })  # fmt: skip
    kraters = []
    for number in range(4):
        prize = generator.valid("use", "krater") or {"hook": "use", "do": [{"op": "draw"}]}
        kraters.append({
            "id": f"k{number}", "name": f"k{number}", "copies": 3,
            "abilities": [prize | {"step": ["surge"], "turn": "own"}],
        })  # fmt: skip
    return checked(TraitsFile, {
        **head(seed), "game": "omen-traits", "setup": {"cities": 3, "prizes_per_city": 4}, "units": units,
        "kraters": kraters,
    })  # fmt: skip


def head(seed: int) -> Data:
    """Returns the first keys of a card file."""
    return {"schema": 1, "id": f"fuzz-{seed}", "title": f"Random set {seed}", "status": "fixture"}


def tuples(value: Any) -> Any:
    """Convert nested lists to tuples, as the reader of card files does."""
    if isinstance(value, dict):
        return {key: tuples(part) for key, part in value.items()}
    return tuple(map(tuples, value)) if isinstance(value, list | tuple) else value


def checked(model: type[FileT], data: Data) -> FileT:
    """Returns the validated card file. Raises ValueError with the first finding."""
    file = model.model_validate(tuples(data))
    for finding in file.check():
        raise ValueError(f"{finding.place}: {finding.message}")
    return file
