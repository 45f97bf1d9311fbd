"""Descriptor pool for gRPC reflection that also finds members of services and messages."""

from __future__ import annotations

from typing import Any

from google.protobuf import descriptor_pool
from google.protobuf.descriptor import FileDescriptor


class SymbolPool:
    """Pool of all descriptors for the reflection service, which also finds methods, fields, oneofs and enum values.

    It makes ``grpcurl describe omnilude.v1.PlayService.Play`` work.
    """

    def __init__(self, pool: descriptor_pool.DescriptorPool | None = None) -> None:
        self._pool = pool or descriptor_pool.Default()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pool, name)

    def FindFileContainingSymbol(self, symbol: str) -> FileDescriptor:
        """Returns the file that defines a symbol of this full name. Raises KeyError if there is none."""
        try:
            return self._pool.FindFileContainingSymbol(symbol)
        except KeyError:
            owner, _, member = symbol.rpartition(".")
            for find, members in _OWNERS:
                try:
                    found = getattr(self._pool, find)(owner)
                except KeyError:
                    continue
                if any(member in getattr(found, named) for named in members):
                    return found.file  # type: ignore[no-any-return]
            raise


_OWNERS = (
    ("FindServiceByName", ("methods_by_name",)),
    ("FindMessageTypeByName", ("fields_by_name", "oneofs_by_name", "enum_values_by_name", "extensions_by_name")),
    ("FindEnumTypeByName", ("values_by_name",)),
)
"""Finders of the descriptors that have members, and the members of each."""
