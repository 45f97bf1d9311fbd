"""Generates the protobuf code, for the builds of both distributions: this one and the service's.

``python clients/python/protobuf_build.py`` generates the code of the client in the source tree.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata, resources
from pathlib import Path

CLIENT = Path(__file__).resolve().parent


def generate(protos: Path, package: str, out: Path) -> None:
    """Run protoc on the .proto files in ``protos/package`` whose generated files in ``out`` are missing or older."""
    from grpc_tools import protoc

    sources = sorted((protos / package).rglob("*.proto"))
    newest = max(source.stat().st_mtime for source in [*sources, Path(__file__)])
    well_known = str(resources.files("grpc_tools") / "_proto")
    for source in sources:
        relative = source.relative_to(protos)
        target = (out / relative).with_name(source.stem + "_pb2.py")
        if target.exists() and target.stat().st_mtime >= newest:
            continue
        arguments = ["protoc", f"-I{protos}", f"-I{well_known}", f"--python_out={out}", f"--pyi_out={out}"]
        if "\nservice " in source.read_text(encoding="utf-8"):
            arguments.append(f"--grpc_python_out={out}")
        if protoc.main([*arguments, str(relative)]) != 0:
            sys.exit(f"protoc failed on {relative}")


def generate_client() -> None:
    """Generate ``omnilude.v1``."""
    generate(CLIENT / "protos", "omnilude", CLIENT)


def runtime_requirements() -> list[str]:
    """The requirements of generated code: grpcio and protobuf, at least as new as the generator itself."""
    requirements = metadata.requires("grpcio-tools") or []
    return sorted(line for line in requirements if re.match(r"(grpcio|protobuf)\b(?!-)", line))


if __name__ == "__main__":
    generate_client()
