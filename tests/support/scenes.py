"""Reads scenes for tests."""

from __future__ import annotations

from xml.etree import ElementTree

SVG = "{http://www.w3.org/2000/svg}"


def parts(svg: str) -> dict[str, str]:
    """Returns the ids of a scene's parts, with their titles."""
    found = ElementTree.fromstring(svg).iter()
    return {id: part.findtext(f"{SVG}title", "") for part in found if (id := part.get("id")) is not None}


def text(svg: str) -> str:
    """Returns the visible texts of a scene, without titles."""
    written = ElementTree.fromstring(svg).iter(f"{SVG}text")
    return " ".join(part.text or "" for part in written)
