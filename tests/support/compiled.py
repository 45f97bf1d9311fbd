"""Compilation of single Cython modules, for tests and benchmarks."""

from __future__ import annotations

from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

from Cython.Build import cythonize
from setuptools import Distribution, Extension
from setuptools.command.build_ext import build_ext

ROOT = Path(__file__).parents[2]


def compile_module(source: Path, folder: Path) -> ModuleType:
    """Compile a ``.pyx`` that cimports ``cext`` into a folder, and import it."""
    copy = folder / source.name
    copy.write_text(source.read_text(encoding="utf-8"), encoding="utf-8")
    extensions = cythonize(
        [Extension(source.stem, [str(copy)], extra_compile_args=["-O2", "-g0"])],
        include_path=[str(ROOT)],
        compiler_directives={"language_level": 3, "boundscheck": False, "wraparound": False, "cdivision": True},
        quiet=True,
    )
    command = build_ext(Distribution({"ext_modules": extensions}))
    command.build_lib = command.build_temp = str(folder)
    command.ensure_finalized()
    command.run()
    spec = spec_from_file_location(source.stem, command.get_ext_fullpath(source.stem))
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
