"""The operands of each effect in the engine's form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamepacks.olomoc import constants
from gamepacks.olomoc.cards import effects as ef
from gamepacks.olomoc.cards.texts import Scope, ticks
from gamepacks.olomoc.cards.vocabulary import Val
from gamepacks.olomoc.ruleset import NONE
from gamepacks.olomoc.v1 import olomoc_enums as wire

if TYPE_CHECKING:
    from gamepacks.olomoc.cards.compile import _Compiler

_WAYS = {
    "any": constants.Way.ANY,
    "move": constants.Way.MOVE_RULER,
    "push": constants.Way.PUSH_RULER,
    "base": constants.Way.BASE,
}
_VALUES = ("n", "dice", "difficulty", "successes", "add", "set")
_NAMES = {"who": "who", "of": "of", "contact": "contact", "element": "who"}
_PLAYERS = ("player", "by")


def operands(compiler: _Compiler, scope: Scope, effect: ef.Effect) -> dict[str, Any]:
    """Returns the fields of the node of an effect that differ from their defaults."""
    fields: dict[str, Any] = {}
    for name in _VALUES:
        value = getattr(effect, name, None)
        if isinstance(value, Val):
            fields[name] = compiler.val(scope, value)
    for name, field in _NAMES.items():
        value = getattr(effect, name, None)
        if isinstance(value, str):
            fields[field] = scope.who(value)
    for name in _PLAYERS:
        if isinstance(value := getattr(effect, name, None), str):
            fields[name] = scope.player(value)
    if (direction := getattr(effect, "dir", None)) is not None:
        fields["direction"] = constants.Direction[direction.upper()]
    if (until := getattr(effect, "until", None)) is not None:
        fields["until"] = constants.Until[until.upper()]
        fields["name"] = compiler.names[getattr(effect, "name", None) or scope.name]
    if getattr(effect, "caps", None) is not None:
        fields["caps"] = compiler.caps(effect.caps)  # type: ignore[union-attr]
    if getattr(effect, "up_to", False):
        fields["up_to"] = True
    return fields | _own(compiler, scope, effect)


def _own(compiler: _Compiler, scope: Scope, effect: ef.Effect) -> dict[str, Any]:
    """The operands that are specific to this effect."""
    match effect:
        case ef.SetState():
            return {"state": wire.State[effect.state.upper()], "flag": effect.set}
        case ef.Place():
            return {"within": ticks(effect.within)}
        case ef.Move():
            return {"way": _WAYS[effect.ruler], "flag": effect.count}
        case ef.Mod():
            return {"on": compiler.on(scope, effect.on)}
        case ef.SetStat():
            return {"stat": wire.Stat[effect.stat.upper()]}
        case ef.Reroll():
            most = compiler.val(scope, effect.max) if effect.max else None
            return {"on": compiler.on(scope, effect.on), "flag": effect.failures_only, "n": most}
        case ef.Roll():
            return {
                "stat": wire.Stat[effect.stat.upper()],
                "of": scope.who(effect.target or ("target" if scope.aimed and effect.who == "self" else None)),
                "then": _program(compiler, scope, effect.then),
                "otherwise": _program(compiler, scope, effect.otherwise),
            }
        case ef.Die():
            return {
                "sides": int(effect.kind[1]),
                "then": _program(compiler, scope, effect.then),
                "options": tuple(compiler.program(scope, part) for part in effect.table),
            }
        case ef.MakeAttack():
            return {
                "attack": wire.AttackKind[effect.kind.upper()],
                "of": scope.who(effect.target),
                "flag": effect.free,
                "count": effect.count,
                "then": _program(compiler, scope, effect.mods),
            }
        case ef.Spawn():
            profile = compiler.hostile_ids.index(effect.profile)
            count = compiler.val(scope, Val(const=effect.n))
            return {"profile": profile, "n": count, "spot": compiler.spot(scope, effect.spot)}
        case ef.MarkerEffect():
            return {
                "do": constants.MarkerDo[effect.do.upper()],
                "radius": constants.BASES[effect.size] if effect.size else 0,
                "tag": compiler.tags[effect.tag],
                "spot": compiler.spot(scope, effect.spot) if effect.spot else None,
                "flag": effect.tainted,
            }
        case ef.Taint():
            return {"flag": effect.set}
        case ef.Token():
            # An effect on a shared counter names no player.
            nobody = {} if effect.player else {"player": NONE}
            return nobody | {"token": compiler.tokens[effect.name]}
        case ef.Mechanism():
            return {"n": compiler.val(scope, Val(const=effect.n))}
        case ef.Permit():
            ignore = sum(1 << constants.Ignore[name.upper()] for name in set(effect.ignore))
            return {"flag": effect.free, "extra": effect.extra, "ignore": ignore}
        case ef.Activate():
            sel = compiler.touched(scope, effect.of) if effect.of else None
            return {"sel": sel, "n": compiler.val(scope, Val(const=effect.n))}
        case ef.Plan():
            return {"do": constants.PlanDo[effect.do.upper()], "slots": sum(1 << slot for slot in set(effect.slots))}
        case ef.Sight():
            cover = {None: -1, "none": 0, "always": 1}[effect.cover]
            return {"cover": cover, "blocks": 0 if effect.blocks else -1}
        case ef.PickOne():
            sel = compiler.touched(scope, effect.of)
            return {"sel": sel, "bind": scope.bind(effect.bind) if effect.bind else constants.Who.PICKED}
        case ef.Each():
            sel, bind = compiler.touched(scope, effect.of), scope.bind(effect.bind)
            return {"sel": sel, "bind": bind, "then": compiler.program(scope, effect.do)}
        case ef.Choose():
            return {
                "options": tuple(compiler.program(scope, option.do) for option in effect.options),
                "option_texts": tuple(option.text for option in effect.options),
                "flag": effect.optional,
            }
        case ef.If():
            return {
                "cond": compiler.cond(scope, effect.cond),
                "then": _program(compiler, scope, effect.then),
                "otherwise": _program(compiler, scope, effect.otherwise),
            }
        case ef.Skip():
            return {"do": constants.SkipDo[effect.what.upper()]}
        case _:
            return {}


def _program(compiler: _Compiler, scope: Scope, do: tuple[ef.Effect, ...]) -> int:
    return compiler.program(scope, do) if do else -1
