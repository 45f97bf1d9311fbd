"""The wheels of the service and of the Python client: their contents, and their use away from the source tree."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import zipfile
from collections.abc import Iterator
from email.parser import Parser
from pathlib import Path

import pytest

from tests.repository.tree import ROOT, packages, project, tracked

CLIENT = ROOT / "clients" / "python"


def build(folder: Path, *arguments: str) -> None:
    """Run the setup.py in a folder."""
    done = subprocess.run([sys.executable, "setup.py", "-q", *arguments], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel that setup.py builds from the modules that `make setup` has compiled."""
    folder = tmp_path_factory.mktemp("wheel")
    for source, name in compiled().items():
        target = folder / "lib" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
    library = ("build", "--build-lib", str(folder / "lib"))
    build(ROOT, *library, "bdist_wheel", "--bdist-dir", str(folder / "bdist"), "--dist-dir", str(folder))
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def client_source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The unpacked source distribution of the Python client."""
    folder = tmp_path_factory.mktemp("client")
    build(CLIENT, "egg_info", "--egg-base", str(folder), "sdist", "--dist-dir", str(folder))
    (built,) = folder.glob("*.tar.gz")
    with tarfile.open(built) as archive:
        archive.extractall(folder, filter="data")
    return folder / built.name.removesuffix(".tar.gz")


@pytest.fixture(scope="module")
def client_wheel(client_source: Path) -> Path:
    """The wheel of the Python client, built from its source distribution."""
    build(client_source, "bdist_wheel")
    (built,) = client_source.glob("dist/*.whl")
    return built


@pytest.fixture(scope="module")
def names(wheel: Path) -> frozenset[str]:
    return entries(wheel)


def entries(wheel: Path) -> frozenset[str]:
    with zipfile.ZipFile(wheel) as archive:
        return frozenset(archive.namelist())


def requirements(wheel: Path) -> set[str]:
    """Returns the requirements of a wheel, without extras."""
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        found = Parser().parsestr(archive.read(metadata).decode()).get_all("Requires-Dist", [])
    return {line for line in found if ";" not in line}


def shipped(folder: str = ".") -> dict[str, Path]:
    """Returns the packages that the pyproject.toml of a folder ships."""
    return {name: packages()[name] for name in project(folder)["tool"]["setuptools"]["packages"]}


def in_wheel(path: Path) -> str:
    """Returns the path of a package's file in the wheel."""
    package = next(name for name, folder in packages().items() if folder == path.parent)
    return f"{package.replace('.', '/')}/{path.name}"


def compiled() -> dict[Path, str]:
    """Returns the compiled modules for this Python, with their paths in the wheel."""
    suffix = sysconfig.get_config_var("EXT_SUFFIX")
    sources = [path for folder in packages().values() for path in folder.glob("*.pyx")]
    return {path.with_name(path.stem + suffix): in_wheel(path).removesuffix(".pyx") + suffix for path in sources}


def test_wheel_contains_every_module_stub_and_declaration(names: frozenset[str]) -> None:
    wanted = {
        in_wheel(path)
        for folder in shipped().values()
        for path in folder.iterdir()
        if path.suffix in (".py", ".pyi", ".pxd") or path.name in ("py.typed", "RULES.md")
    }
    assert len(wanted) > 80
    assert wanted - names == set()


def test_wheel_contains_every_compiled_module(names: frozenset[str]) -> None:
    assert compiled()
    assert set(compiled().values()) - names == set()


def test_wheel_contains_the_generated_code_of_every_contract(names: frozenset[str]) -> None:
    contracts = [name.removeprefix("protos/") for name in tracked() if re.match(r"protos/.*\.proto$", name)]
    assert contracts
    for contract in contracts:
        if contract.startswith("gamepacks/"):
            assert contract.removesuffix(".proto") + "_pb2.py" in names
            assert contract.removesuffix(".proto") + "_pb2.pyi" in names
        assert f"omnilude_cli/node/protos/{contract}" in names


def test_wheel_contains_the_node_bot(names: frozenset[str]) -> None:
    client = "clients/node/"
    sources = [name.removeprefix(client) for name in tracked() if name.startswith(client) and name.endswith(".js")]
    wanted = [name for name in sources if not name.startswith("test/")] + ["package.json", "package-lock.json"]
    assert {f"omnilude_cli/node/{name}" for name in wanted} - names == set()
    assert [name for name in names if "node_modules" in name or name.endswith(".test.js")] == []


def test_wheel_contains_every_template(names: frozenset[str]) -> None:
    cli = "clients/cli/"
    templates = [name.removeprefix(cli) for name in tracked() if name.startswith(f"{cli}omnilude_cli/template")]
    assert templates
    assert set(templates) - names == set()


def test_wheel_contains_every_example_pack(names: frozenset[str]) -> None:
    wanted = {
        name.replace("examples/packs/", "omnilude_cli/example_packs/")
        for name in tracked()
        if name.startswith("examples/packs/")
    }
    assert wanted
    assert {name for name in names if "/example_packs/" in name} == wanted


def test_wheel_contains_nothing_else(names: frozenset[str]) -> None:
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {name.partition(".")[0] for name in shipped()}
    assert [name for name in names if name.endswith((".c", ".pyc"))] == []
    foreign = ("/templates/", "/example_packs/")
    assert [name for name in names if "/golden/" in name and not any(part in name for part in foreign)] == []
    assert [name for name in names if "/tests/" in name and not any(part in name for part in foreign)] == []


def test_client_wheel_contains_the_client_and_its_generated_code(client_wheel: Path) -> None:
    hand_written = {
        in_wheel(path)
        for folder in shipped("clients/python").values()
        for path in folder.iterdir()
        if path.name == "py.typed" or (path.suffix == ".py" and not path.name.endswith(("_pb2.py", "_pb2_grpc.py")))
    }
    contracts = [name.removeprefix("protos/") for name in tracked() if re.match(r"protos/omnilude/.*\.proto$", name)]
    generated = {name.removesuffix(".proto") + end for name in contracts for end in ("_pb2.py", "_pb2.pyi")}
    assert hand_written and generated
    assert (hand_written | generated) - entries(client_wheel) == set()
    assert {name.partition("/")[0] for name in entries(client_wheel) if ".dist-info" not in name} == {"omnilude"}
    assert client_wheel.name.endswith("-py3-none-any.whl")


def test_the_client_needs_nothing_but_grpc_and_protobuf(client_wheel: Path) -> None:
    names = {re.match(r"[\w-]+", line)[0] for line in requirements(client_wheel)}  # type: ignore[index]
    assert names == {"grpcio", "protobuf", "googleapis-common-protos"}


def test_source_of_the_client_contains_the_contract(client_source: Path) -> None:
    found = {str(path.relative_to(client_source)) for path in client_source.rglob("*.proto")}
    assert found == {name for name in tracked() if re.match(r"protos/omnilude/.*\.proto$", name)}


def test_the_service_requires_the_client_of_its_version(wheel: Path, client_wheel: Path) -> None:
    version = project("clients/python")["project"]["version"]
    assert wheel.name.startswith(f"omnilude-{version}-")
    assert f"omnilude-client=={version}" in requirements(wheel)


@pytest.fixture(scope="module")
def away(wheel: Path, client_wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An environment with the wheels installed, which uses the dependencies of this environment."""
    folder = tmp_path_factory.mktemp("away")
    environment = folder / "venv"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = str(environment / "bin" / "python")
    pip = [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--disable-pip-version-check", str(wheel), str(client_wheel)], check=True)
    # A path that a .pth file adds is searched last, and the .pth files in it are not obeyed: of two omniludes it is
    # the wheel's that is imported, and the source tree stays out of reach.
    site = subprocess.run(
        [python, "-c", "import site; print(site.getsitepackages()[0])"], capture_output=True, text=True
    )
    Path(site.stdout.strip(), "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    yield folder


def run(away: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment["XDG_CACHE_HOME"] = str(away / "cache")
    command = [str(away / "venv" / "bin" / arguments[0]), *arguments[1:]]
    return subprocess.run(command, cwd=away, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)


def test_packages_are_imported_from_the_wheel(away: Path) -> None:
    program = "import cext.state, gamepacks.ominoes, omnilude; print(cext.state.__file__, omnilude.__file__)"
    done = run(away, "python", "-c", program)
    assert done.returncode == 0, done.stderr
    assert all(path.startswith(str(away / "venv")) for path in done.stdout.split())


def test_installed_command_lists_the_games(away: Path) -> None:
    done = run(away, "omnilude", "games")
    assert done.returncode == 0, done.stderr
    assert "ominoes" in done.stdout


def test_installed_demo_plays_in_two_languages_and_proves_the_replays(away: Path) -> None:
    done = run(away, "omnilude", "demo", "--playouts", "2")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "(Node" in done.stdout
    assert list(away.glob(".demo/*/replays/*"))
    assert (away / "cache" / "omnilude").is_dir()
