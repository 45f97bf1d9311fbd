"""What an installed distribution with packs looks like to importlib.metadata."""

from __future__ import annotations

import sys
from pathlib import Path


def install(folder: Path, distribution: str, version: str, packs: dict[str, str]) -> None:
    """Write the metadata of a distribution with these packs, by name (``module`` or ``module:object``)."""
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    lines = "".join(f"{name} = {target}\n" for name, target in packs.items())
    (info / "entry_points.txt").write_text(f"[omnilude.packs]\n{lines}")


def loads(name: str) -> list[str]:
    """Returns the command that loads this installed pack, and no other, and prints its distribution and version."""
    program = f"""
from gamepacks.api import Registry
(pack,) = Registry.load(only=[{name!r}], strict=True).packs
print(pack.distribution, pack.version)
"""
    return [sys.executable, "-c", program]
