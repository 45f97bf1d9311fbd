"""Messages taken apart and bent."""

from __future__ import annotations

from typing import Any

from google.protobuf import any_pb2, struct_pb2
from google.protobuf.message import Message

from gamepacks.api.kit.messages import changes, leaves
from tests.support.games.kuhn import messages as kuhn
from tests.support.games.sealed import messages as sealed


def mutations(message: Message) -> list[Any]:
    """Copies of a message with one of the changes in each."""
    return [change.applied(message) for change in changes(message)]


def test_leaves_are_all_values_by_path() -> None:
    event = sealed.Event(shown=sealed.Shown(bids=[3, 4], winner=1))
    assert leaves(event) == {"shown": True, "shown.bids#": 2, "shown.bids[0]": 3, "shown.bids[1]": 4, "shown.winner": 1}
    assert leaves(sealed.Event()) == {}
    # An optional field that is set is there even if it is 0; another is not.
    assert leaves(sealed.Placed(seat=0, bid=0)) == {"bid": 0}


def test_leaves_of_maps_are_in_order_of_the_keys() -> None:
    one, other = struct_pb2.Struct(), struct_pb2.Struct()
    one.update({"a": 1, "b": 2})
    other.update({"b": 2, "a": 1})
    assert leaves(one) == leaves(other)
    assert leaves(one)["fields#"] == 2


def test_each_mutation_changes_one_thing() -> None:
    position = sealed.Position(round=1, coins=[5, 6], points=[0, 0], bids=[-1])
    before = position.SerializeToString()
    bent = mutations(position)
    assert position.SerializeToString() == before
    assert position not in bent
    for copy in bent:
        ours, theirs = leaves(position), leaves(copy)
        changed = {
            path.partition("[")[0].rstrip("#") for path in {**ours, **theirs} if ours.get(path) != theirs.get(path)
        }
        assert len(changed) == 1
    rounds = {copy.round for copy in bent}
    assert rounds == {1, 0, 2, -1, -(2**31), 2**31 - 1}
    lengths = {len(copy.coins) for copy in bent}
    assert lengths == {2, 0, 1, 3}


def test_unset_fields_are_mutated_too() -> None:
    found = [leaves(copy) for copy in mutations(sealed.Event())]
    assert found == [{"placed": True}, {"shown": True}]
    assert {"moves#": 1, "moves[0]": 0} in [leaves(copy) for copy in mutations(kuhn.Position())]
    inner = [leaves(copy) for copy in mutations(sealed.Event(placed=sealed.Placed(seat=1)))]
    assert {} in inner
    assert {"placed": True, "placed.seat": 2} in inner
    assert {"placed": True, "placed.seat": 1, "placed.bid": 1} in inner


def test_texts_bytes_flags_and_numbers_are_mutated() -> None:
    given = any_pb2.Any(type_url="ab", value=b"cd")
    assert {copy.type_url for copy in mutations(given)} == {"ab", "abnonsense", "b"}
    assert {copy.value for copy in mutations(given)} == {b"cd", b"cd\xff\x00", b"d"}
    value = struct_pb2.Value(number_value=1.5)
    assert "nan" in {str(copy.number_value) for copy in mutations(value)}
    assert {"bool_value": True} in [leaves(copy) for copy in mutations(struct_pb2.Value())]
