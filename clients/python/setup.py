"""Generate ``omnilude.v1`` and require what generated code requires; all else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).resolve().parent))
from code_generation import generate_client, runtime_requirements


class BuildPy(build_py):
    """Generates the protobuf code next to the hand-written modules first."""

    def run(self) -> None:
        generate_client()
        super().run()


setup(
    cmdclass={"build_py": BuildPy},
    install_requires=[*runtime_requirements(), "googleapis-common-protos>=1.70,<2"],
)
