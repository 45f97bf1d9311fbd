"""Generate the protobuf code beside its .proto; all else is in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class BuildPy(build_py):
    def run(self) -> None:
        from grpc_tools import protoc

        root = Path(__file__).resolve().parent / "src"
        arguments = ["protoc", f"-I{root}", f"--python_out={root}", f"--pyi_out={root}", "goofspiel/game.proto"]
        if protoc.main(arguments) != 0:
            sys.exit("protoc failed")
        super().run()


setup(cmdclass={"build_py": BuildPy})
