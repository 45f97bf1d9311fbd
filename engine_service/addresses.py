"""Addresses to listen at, as settings have them: IPv6 with brackets or without."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any

from pydantic import BeforeValidator


def _address(value: Any) -> Any:
    """An address without the brackets that some write around one of IPv6. Raises ValueError where it is none."""
    if not isinstance(value, str):
        return value
    bare = value.removeprefix("[").removesuffix("]") if value.startswith("[") and value.endswith("]") else value
    if ":" in bare or bare != value:
        try:
            ipaddress.IPv6Address(bare)
        except ValueError:
            raise ValueError(
                "not an address: write 127.0.0.1, ::1, [::1] or the name of a host; the port is a setting of its own"
            ) from None
    return bare


def host_port(address: str, port: int) -> str:
    """Address and port in one, an address of IPv6 in brackets."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


Address = Annotated[str, BeforeValidator(_address)]
