"""Generate the protobuf code and the C constants, then compile the state; all else is in pyproject.toml."""

import sys
from pathlib import Path

from Cython.Build import cythonize
from grpc_tools import protoc
from setuptools import Extension, setup

import cext
from cext.codegen import generate_from_python

SOURCE = Path(__file__).resolve().parent / "src"
if protoc.main(["protoc", f"-I{SOURCE}", f"--python_out={SOURCE}", f"--pyi_out={SOURCE}", "connect_four/game.proto"]):
    sys.exit("protoc failed")
generate_from_python(SOURCE / "connect_four" / "codes.py")

setup(
    ext_modules=cythonize(
        [Extension("connect_four.state", ["src/connect_four/state.pyx"])],
        include_path=[cext.get_include(), str(SOURCE)],
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True},
    )
)
