"""Print requirements of pyproject.toml, one a line: those of the build, or those of an extra.

``python tools/requirements.py`` prints those of the build, ``python tools/requirements.py dev`` those of the extra
``dev``, with the requirements of the extras that it names.
"""

import re
import sys
import tomllib
from pathlib import Path

PROJECT = tomllib.loads((Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8"))


def of_extra(name: str) -> list[str]:
    """Returns the requirements of an extra, without the project itself."""
    found = []
    for line in PROJECT["project"]["optional-dependencies"][name]:
        extras = re.fullmatch(rf"{PROJECT['project']['name']}\[(.+)\]", line)
        found += [line] if extras is None else [one for extra in extras[1].split(",") for one in of_extra(extra)]
    return found


if __name__ == "__main__":
    print(*(of_extra(sys.argv[1]) if sys.argv[1:] else PROJECT["build-system"]["requires"]), sep="\n")
