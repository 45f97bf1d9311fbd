"""Messages of packs that are not installed here, and options as text."""

from __future__ import annotations

import subprocess
import sys

import pytest
from google.protobuf import any_pb2
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto

from omnilude.packs import WrongMessage, game_info, option_texts, pack
from omnilude.v1.catalog_pb2 import GetGameResponse, MessageTypes


def catalog_answer(package: str, *fields: str) -> GetGameResponse:
    """Returns a game whose five messages have text fields of these names."""
    response = GetGameResponse()
    response.game.name = "games/made-up"
    file = FileDescriptorProto(name=f"{package.replace('.', '/')}/made_up.proto", package=package, syntax="proto3")
    for name in ("Options", "View", "Action", "Event", "Position"):
        message = file.message_type.add(name=name)
        for number, field in enumerate(fields, 1):
            message.field.add(
                name=field,
                number=number,
                type=FieldDescriptorProto.TYPE_STRING,
                label=FieldDescriptorProto.LABEL_OPTIONAL,
            )
        setattr(response.game.message_types, name.lower(), f"{package}.{name}")
    response.descriptors.file.append(file)
    return response


def test_messages_are_made_from_the_catalog() -> None:
    info = game_info(catalog_answer("somebody.elses.v1", "weather"))
    assert info.id == "made-up"
    view = info.messages.view(weather="omens")
    packed = pack(view)
    assert packed.type_url == "type.googleapis.com/somebody.elses.v1.View"
    again = info.messages.unpack(packed)
    assert again == view
    assert again.weather == "omens"  # type: ignore[attr-defined]


def test_two_services_may_define_one_message_differently() -> None:
    """Each catalog has its own descriptor pool, so two versions of one file do not conflict."""
    old = game_info(catalog_answer("moving.target.v1", "was"))
    new = game_info(catalog_answer("moving.target.v1", "was", "added"))
    assert "added" not in old.messages.view.DESCRIPTOR.fields_by_name
    assert "added" in new.messages.view.DESCRIPTOR.fields_by_name


def test_generated_class_that_is_imported_here_is_used() -> None:
    code = """
from google.protobuf import descriptor_pb2
from gamepacks.ominoes.v1 import ominoes_pb2
from omnilude.packs import game_info
from omnilude.v1.catalog_pb2 import GetGameResponse
response = GetGameResponse()
for name in ("options", "view", "action", "event", "position"):
    setattr(response.game.message_types, name, "gamepacks.ominoes.v1." + name.capitalize())
assert game_info(response).messages.view is ominoes_pb2.View
"""
    subprocess.run([sys.executable, "-c", code], check=True)


def test_message_of_another_game_is_refused() -> None:
    info = game_info(catalog_answer("one.game.v1", "x"))
    other = game_info(catalog_answer("another.game.v1", "x"))
    with pytest.raises(WrongMessage, match=r"another\.game\.v1\.View is not a message of this game"):
        info.messages.unpack(pack(other.messages.view()))
    with pytest.raises(WrongMessage, match="untyped"):
        info.messages.unpack(any_pb2.Any())


def test_invalid_bytes_are_refused() -> None:
    info = game_info(catalog_answer("one.game.v1", "x"))
    torn = any_pb2.Any(type_url="type.googleapis.com/one.game.v1.View", value=b"\x0a\x7f")
    with pytest.raises(WrongMessage, match=r"the bytes are not a one\.game\.v1\.View"):
        info.messages.unpack(torn)


def test_catalog_without_its_descriptors_is_refused() -> None:
    response = catalog_answer("gone.v1", "x")
    del response.descriptors.file[:]
    with pytest.raises(WrongMessage, match=r"no descriptor of gone\.v1\.Options"):
        game_info(response)
    response.game.message_types.CopyFrom(MessageTypes())
    with pytest.raises(WrongMessage, match="without a name"):
        game_info(response)


def test_options_are_converted_to_text() -> None:
    texts = option_texts({"expert": True, "target": 13, "gods": ["ra", "apep"], "start_player": "1", "empty": ()})
    assert texts == {"expert": "true", "target": "13", "gods": "ra,apep", "start_player": "1", "empty": ""}
