"""Models whose schema says what the table of keys says (:mod:`gamepacks.omen.cards.keys`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue

from gamepacks.api.cards import CardModel


class Described(CardModel):
    """A model whose keys have in the schema the meanings that the table of keys gives them."""

    @classmethod
    def meanings(cls) -> Mapping[str, str]:
        """What its keys mean, by their names in card files."""
        return {}

    @classmethod
    def __get_pydantic_json_schema__(cls, core_schema: Any, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        schema = handler(core_schema)
        properties = handler.resolve_ref_schema(schema).get("properties", {})
        for name, meaning in cls.meanings().items():
            if name in properties:
                properties[name]["description"] = meaning
        return schema
