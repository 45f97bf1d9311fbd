"""Generate enums and protobuf code, compile the Cython modules, ship the Node bot, require the Python client.

The rest is in pyproject.toml; the Python client is a distribution of its own, in ``clients/python``.

Generated files are written beside the hand-written modules of their package (and ignored by git), so an
editable install, an in-place build and a wheel see the same tree.
"""

from __future__ import annotations

import os
import platform
import sys
import threading
import tomllib
from pathlib import Path

from Cython.Build import cythonize
from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.modified import newer_group

ROOT = Path(__file__).resolve().parent
PROTOS = ROOT / "protos"
CLIENT = ROOT / "clients" / "python"
NODE_BOT = ROOT / "clients" / "node"
EXAMPLE_PACKS = ROOT / "examples" / "packs"
VERSION = tomllib.loads((CLIENT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]

sys.path[:0] = [str(ROOT), str(CLIENT)]
from code_generation import generate_protobuf, runtime_requirements  # noqa: E402

from cext.codegen import generate_from_proto, generate_from_python, generate_tags  # noqa: E402

REQUIREMENTS = [
    f"omnilude-client=={VERSION}",
    *runtime_requirements(),
    "connectrpc>=0.13,<0.14",
    "cryptography>=45",
    "googleapis-common-protos>=1.70,<2",
    "grpcio-channelz>=1.85,<2",
    "grpcio-health-checking>=1.85,<2",
    "grpcio-reflection>=1.85,<2",
    "grpcio-status>=1.85,<2",
    "httptools>=0.6.3,<1",
    "pebble>=5.2,<6",
    "pluggy>=1.6,<2",
    "prometheus-client>=0.22,<1",
    "pydantic>=2.11,<3",
    "pydantic-settings>=2.9,<3",
    "pyyaml>=6,<7",
    "rich>=14,<16",
    "sqlalchemy>=2.0.40,<3",
    "starlette>=0.46,<2",
    "structlog>=25",
    "typer>=0.16,<1",
    "typing-extensions>=4.12",
    "uvicorn>=0.35,<1",
]


ENCODED_MESSAGES = {
    "play_service": ["PlayRequest", "Move", "PlayResponse", "MoveResult", "Turn"],
    "simulation_service": ["LegalLists"],
}
"""Messages of ``omnilude.v1`` that modules of ``cext`` read or write themselves, by the ``.proto`` file."""


def generate_enums() -> None:
    """Write the enums and the C constants of contracts and Python modules."""
    contract = PROTOS / "omnilude" / "v1"
    generate_from_proto(contract / "match.proto", PROTOS, ROOT / "engine_service", compiled=False)
    for name, messages in ENCODED_MESSAGES.items():
        generate_tags(contract / f"{name}.proto", PROTOS, ROOT / "cext", messages)
    for source in sorted((PROTOS / "gamepacks").rglob("*.proto")):
        generate_from_proto(source, PROTOS, ROOT / source.relative_to(PROTOS).parent)
    for module in sorted(path for folder in ("cext", "gamepacks") for path in (ROOT / folder).rglob("*.py")):
        generate_from_python(module)


def shipped_files() -> dict[str, Path]:
    """Files from outside the packages that the command line needs away from the source tree, by path in its package.

    They are the Node bot, with the contract that it reads, and the example packs, from which new packs are written.
    """
    kinds = {".py", ".pyx", ".pyi", ".proto", ".md", ".toml", ".txt"}
    generated = ("_pb2.py", "_pb2.pyi", "_enums.py")
    examples = [
        path
        for pack in EXAMPLE_PACKS.iterdir()
        for path in (*pack.glob("*.*"), *pack.glob("tests/*"), *pack.glob("src/*/*"), *pack.glob("src/*/golden/*"))
        if path.suffix in kinds and not path.name.endswith(generated) and ".egg-info" not in str(path)
    ]
    return {
        **{f"node/{name}": path for name, path in node_bot_files().items()},
        **{f"example_packs/{path.relative_to(EXAMPLE_PACKS)}": path for path in examples},
    }


def node_bot_files() -> dict[str, Path]:
    """The files of the Node bot, by path in its folder."""
    files = [NODE_BOT / "bot.js", NODE_BOT / "package.json", NODE_BOT / "package-lock.json", *NODE_BOT.glob("lib/*.js")]
    files += NODE_BOT.glob("lib/*.proto")
    return {
        **{str(path.relative_to(NODE_BOT)): path for path in files},
        **{str(path.relative_to(ROOT)): path for path in PROTOS.rglob("*.proto")},
    }


class BuildPy(build_py):
    """Generate first; ship the files from outside the packages (an editable install uses them where they are)."""

    def run(self) -> None:
        generate_protobuf(PROTOS, "gamepacks", ROOT)
        super().run()
        if not self.editable_mode:
            for name, source in shipped_files().items():
                target = self._target(name)
                self.mkpath(str(target.parent))
                self.copy_file(str(source), str(target))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        shipped = [] if self.editable_mode else [str(self._target(name)) for name in shipped_files()]
        return [*super().get_outputs(include_bytecode), *shipped]

    def _target(self, name: str) -> Path:
        return Path(self.build_lib) / "omnilude_cli" / name


class BuildExt(build_ext):
    """Generate first; compile on all cores, and print how far it is."""

    def finalize_options(self) -> None:
        super().finalize_options()
        self.parallel = self.parallel or os.cpu_count()
        if self.editable_mode:
            # The folders of `build_ext --inplace`, not temporary ones: what is compiled there is not compiled again.
            build = self.distribution.get_command_class("build")(self.distribution)
            build.ensure_finalized()
            self.build_lib, self.build_temp = build.build_platlib, build.build_temp

    def run(self) -> None:
        generate_protobuf(PROTOS, "gamepacks", ROOT)
        super().run()

    def build_extensions(self) -> None:
        self._lock = threading.Lock()
        self._outdated = [ext for ext in self.extensions if self._is_outdated(ext)]
        self._started = 0
        # The longest first, so that at the end all processors are in use.
        self.extensions.sort(key=lambda ext: Path(ext.sources[0]).stat().st_size, reverse=True)
        super().build_extensions()

    def build_extension(self, ext: Extension) -> None:
        if ext in self._outdated:
            with self._lock:
                self._started += 1
                print(f"[{self._started:2}/{len(self._outdated)}] Compiling {ext.name}", flush=True)
        super().build_extension(ext)

    def _is_outdated(self, ext: Extension) -> bool:
        sources = [*ext.sources, *ext.depends]
        return bool(self.force or newer_group(sources, self.get_ext_fullpath(ext.name), "newer"))


POPCOUNT = ["-mpopcnt"] if platform.machine() in ("x86_64", "AMD64") else []
"""Counts the bits of a word in one instruction, which all such processors since 2009 have: sets of cells and cards are
words, and play-outs of Ominoes take a sixth less time."""


OPTIMIZATION = {
    "cext.geometry.scenery_placement": "-O1",
    "cext.geometry.table": "-O1",
    "gamepacks.olomoc.engine.rules": "-O1",
    "gamepacks.omega.engine.rules": "-O3",
    "gamepacks.omen.engine.rules": "-O3",
}
"""Modules that are not compiled with -O2. Those with -O1 consist of calls of Python's own functions for the most part,
or no step of a play-out runs them: they compile in half the time and are as fast. With -O3, play-outs of OMEGA are a
tenth faster and those of Omen's traits edition a twelfth."""


def extensions() -> list[Extension]:
    sources = sorted(path for folder in ("cext", "gamepacks") for path in (ROOT / folder).rglob("*.pyx"))
    names = {".".join(source.relative_to(ROOT).with_suffix("").parts): source for source in sources}
    if unknown := OPTIMIZATION.keys() - names.keys():
        sys.exit(f"OPTIMIZATION in setup.py names modules that do not exist: {', '.join(sorted(unknown))}")
    return [
        Extension(
            name,
            [str(source.relative_to(ROOT))],
            # Strict IEEE arithmetic: the same result on every machine (no fused multiply-add). Without data for a
            # debugger of C, which nobody asks for, it compiles a quarter faster.
            extra_compile_args=[OPTIMIZATION.get(name, "-O2"), "-ffp-contract=off", "-g0", *POPCOUNT],
        )
        for name, source in names.items()
    ]


generate_enums()
setup(
    ext_modules=cythonize(
        extensions(),
        build_dir="build/cython",
        compiler_directives={
            "language_level": 3,
            "boundscheck": False,
            "wraparound": False,
            "cdivision": True,
            "embedsignature": True,
        },
        nthreads=os.cpu_count() or 1,
    ),
    version=VERSION,
    install_requires=REQUIREMENTS,
    cmdclass={"build_py": BuildPy, "build_ext": BuildExt},
)
