"""What an installed distribution with packs looks like to importlib.metadata."""

from __future__ import annotations

from pathlib import Path


def install(folder: Path, distribution: str, version: str, packs: dict[str, str]) -> None:
    """Write the metadata of a distribution with these packs, by name (``module`` or ``module:object``)."""
    info = folder / f"{distribution.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
    lines = "".join(f"{name} = {target}\n" for name, target in packs.items())
    (info / "entry_points.txt").write_text(f"[omnilude.packs]\n{lines}")
