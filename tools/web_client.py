"""Build the programs for browsers: the client ``clients/web``, and the page ``clients/table``, which uses it.

``python -m tools.web_client`` builds what has changed; ``python -m tools.web_client test`` runs the tests of the client
afterwards, with services of this Python. The page goes to ``engine_service/web/page``, where the service finds it.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from grpc_tools import protoc

from gamepacks.api.scene import ATTRIBUTES, ELEMENTS
from omnilude_cli.node_bot import NodeInstallation, NodeUnavailable, npm_ci
from tools.node import provide_node

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "clients" / "web"
TABLE = ROOT / "clients" / "table"
PAGE = ROOT / "engine_service" / "web" / "page"
GENERATED = CLIENT / "src" / "gen"
SCENE_LISTS = TABLE / "src" / "gen" / "scene.ts"
CONTRACT = [f"omnilude/v1/{name}.proto" for name in ("catalog", "errors", "match", "match_service", "replay")]
PACKAGES = Path(sysconfig.get_path("purelib"))
"""Folders of Google's contracts: the details of errors, and the well-known types."""
DETAILS = "google/rpc/error_details.proto"
OLDEST_NODE = (20, 19)
"""Oldest version of Node.js that Vite supports."""


def build(node: NodeInstallation) -> None:
    """Build the client and the page, unless nothing has changed since.

    Raises NodeUnavailable and CalledProcessError.
    """
    installed = _install(node, CLIENT)
    protos = [ROOT / "protos" / name for name in CONTRACT]
    client = CLIENT / "dist" / "index.js"
    if _is_older(client, [*protos, *(CLIENT / "src").glob("*.ts"), CLIENT / "tsconfig.json", installed]):
        _generate()
        _npm(node, CLIENT, "build")
        client.touch()
    _write_scene_lists()
    installed = _install(node, TABLE)
    sources = [path for path in (TABLE / "src").rglob("*") if path.is_file()]
    page = PAGE / "index.html"
    if _is_older(page, [client, *sources, *TABLE.glob("*.html"), *TABLE.glob("*config*"), installed]):
        _npm(node, TABLE, "build")
        page.touch()


def _install(node: NodeInstallation, folder: Path) -> Path:
    """Install the dependencies of a package; returns the file whose time tells when that was done."""
    installed = folder / "node_modules" / ".complete"
    if _is_older(installed, [folder / "package.json", folder / "package-lock.json"]):
        npm_ci(node, folder)
        installed.touch()
    return installed


def _generate() -> None:
    GENERATED.mkdir(exist_ok=True)
    arguments = [
        "protoc",
        f"-I{ROOT / 'protos'}",
        f"-I{PACKAGES}",
        f"-I{PACKAGES / 'grpc_tools' / '_proto'}",
        f"--plugin=protoc-gen-es={CLIENT / 'node_modules' / '.bin' / 'protoc-gen-es'}",
        f"--es_out={GENERATED}",
        "--es_opt=target=ts,import_extension=js",
        *CONTRACT,
        DETAILS,
    ]
    if protoc.main(arguments) != 0:
        raise SystemExit("protoc could not generate the code of clients/web")


def _write_scene_lists() -> None:
    """Write the elements and attributes that scenes may have as a module of the page, which removes all others."""
    lists = {"ELEMENTS": sorted(ELEMENTS), "ATTRIBUTES": sorted(ATTRIBUTES)}
    text = "".join(f"export const {name}: readonly string[] = {json.dumps(names)};\n" for name, names in lists.items())
    SCENE_LISTS.parent.mkdir(exist_ok=True)
    if not SCENE_LISTS.exists() or SCENE_LISTS.read_text(encoding="utf-8") != text:
        SCENE_LISTS.write_text(text, encoding="utf-8")


def _npm(node: NodeInstallation, folder: Path, script: str) -> None:
    subprocess.run([*node.npm, "run", "--silent", script], cwd=folder, env=_environment(node), check=True)


def _environment(node: NodeInstallation) -> dict[str, str]:
    search = os.pathsep.join([str(Path(node.program).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": search, "OMNILUDE_PYTHON": sys.executable}


def _is_older(made: Path, sources: Iterable[Path]) -> bool:
    return not made.exists() or made.stat().st_mtime < max(path.stat().st_mtime for path in sources)


def main(scripts: list[str]) -> int:
    """Build the client and the page, and run scripts of the client's package.json."""
    try:
        node = provide_node(OLDEST_NODE)
        # protoc starts its plug-in, which is a program of Node.
        os.environ["PATH"] = _environment(node)["PATH"]
        build(node)
        for script in scripts:
            _npm(node, CLIENT, script)
    except NodeUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
