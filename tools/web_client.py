"""Build the client for browsers, ``clients/web``: dependencies, code of the contract, JavaScript.

``python -m tools.web_client`` builds what has changed; ``python -m tools.web_client test`` runs its tests afterwards,
with services of this Python.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from pathlib import Path

from grpc_tools import protoc

from omnilude_cli.node_bot import Node, NodeUnavailable, find_node, npm_ci

ROOT = Path(__file__).resolve().parents[1]
CLIENT = ROOT / "clients" / "web"
GENERATED = CLIENT / "src" / "gen"
CONTRACT = [f"omnilude/v1/{name}.proto" for name in ("catalog", "errors", "match", "match_service", "replay")]
PACKAGES = Path(sysconfig.get_path("purelib"))
"""Where the contracts of Google are: the details of errors, and the well-known types."""
DETAILS = "google/rpc/error_details.proto"


def build(node: Node) -> None:
    """Build the client, unless nothing has changed since. Raises NodeUnavailable and CalledProcessError."""
    installed = CLIENT / "node_modules" / ".complete"
    if _is_older(installed, [CLIENT / "package.json", CLIENT / "package-lock.json"]):
        npm_ci(node, CLIENT)
        installed.touch()
    protos = [ROOT / "protos" / name for name in CONTRACT]
    sources = (CLIENT / "src").glob("*.ts")
    built = CLIENT / "dist" / "index.js"
    if _is_older(built, [*protos, *sources, CLIENT / "tsconfig.json", installed]):
        _generate()
        _npm(node, "build")
        built.touch()


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


def _npm(node: Node, script: str) -> None:
    subprocess.run([*node.npm, "run", "--silent", script], cwd=CLIENT, env=_environment(node), check=True)


def _environment(node: Node) -> dict[str, str]:
    search = os.pathsep.join([str(Path(node.program).parent), os.environ["PATH"]])
    return {**os.environ, "PATH": search, "OMNILUDE_PYTHON": sys.executable}


def _is_older(made: Path, sources: list[Path]) -> bool:
    return not made.exists() or made.stat().st_mtime < max(path.stat().st_mtime for path in sources)


def main(scripts: list[str]) -> int:
    """Build the client, and run scripts of its package.json."""
    try:
        node = find_node()
        # protoc starts its plug-in, which is a program of Node.
        os.environ["PATH"] = _environment(node)["PATH"]
        build(node)
        for script in scripts:
            _npm(node, script)
    except NodeUnavailable as error:
        print(error, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as error:
        return error.returncode
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
