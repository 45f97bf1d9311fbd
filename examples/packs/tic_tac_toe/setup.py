"""Generate the protobuf code beside its .proto; all else is in pyproject.toml."""

import sys
from pathlib import Path

from grpc_tools import protoc
from setuptools import setup

SOURCE = Path(__file__).resolve().parent / "src"
if protoc.main(["protoc", f"-I{SOURCE}", f"--python_out={SOURCE}", f"--pyi_out={SOURCE}", "tic_tac_toe/game.proto"]):
    sys.exit("protoc failed")

setup()
