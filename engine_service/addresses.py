"""Addresses to listen on, as settings give them: IPv6 with or without brackets."""

from __future__ import annotations

import ipaddress
from typing import Annotated, Any

from pydantic import BeforeValidator


def _address(value: Any) -> Any:
    """Returns an IPv6 address without the brackets around it. Raises ValueError if it is not one."""
    if not isinstance(value, str):
        return value
    bare = value.removeprefix("[").removesuffix("]") if value.startswith("[") and value.endswith("]") else value
    if ":" in bare or bare != value:
        try:
            ipaddress.IPv6Address(bare)
        except ValueError:
            raise ValueError(
                "not an address: give an IP address (127.0.0.1, ::1, [::1]) or a host name, without a port"
            ) from None
    return bare


def host_port(address: str, port: int) -> str:
    """Returns ``address:port``, with an IPv6 address in brackets."""
    return f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


Address = Annotated[str, BeforeValidator(_address)]
