"""Models whose schema says what the table of keys says (:mod:`gamepacks.omen.cards.keys`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue

from gamepacks.api.cards import CardModel
from gamepacks.omen.cards.keys import ABILITY_KEYS, EVENT_KEYS, OPERATIONS, SELECTOR_KEYS

_MEANINGS: dict[str, Mapping[str, str]] = {"Sel": SELECTOR_KEYS, "Evf": EVENT_KEYS, "Ability": ABILITY_KEYS}
"""Of the models that are no effects."""


class Described(CardModel):
    """A model whose keys have in the schema the meanings that the table of keys gives them."""

    @classmethod
    def meanings(cls) -> Mapping[str, str]:
        """What its keys mean, by their names in card files."""
        if "op" in cls.model_fields:
            (op,) = get_args(cls.model_fields["op"].annotation)
            return {name: key.meaning for name, key in OPERATIONS[op].keys.items()}
        return _MEANINGS[cls.__name__]

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, meaning in cls.meanings().items():
            if name in properties:
                properties[name]["description"] = meaning
        return schema
