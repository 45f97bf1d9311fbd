"""Print what pyproject.toml says that the build needs, one requirement a line."""

import tomllib
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"

if __name__ == "__main__":
    print(*tomllib.loads(PROJECT.read_text(encoding="utf-8"))["build-system"]["requires"], sep="\n")
