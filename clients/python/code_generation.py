"""Generates code for the builds of both distributions, the Python client and the service.

That is the protobuf code, and the synchronous client, which is made from the asyncio client.
``python clients/python/code_generation.py`` generates the code of the client in the source tree.
"""

from __future__ import annotations

import re
import sys
from importlib import metadata, resources
from pathlib import Path

CLIENT = Path(__file__).resolve().parent
SYNCHRONOUS = (
    (r'^"""The asyncio client: :class:`AsyncClient`', '"""The synchronous client: :class:`Client`'),
    (
        "The build generates the synchronous client, :mod:`omnilude.client`, from this module.",
        "Generated from :mod:`omnilude.async_client`: change that module, and build again.",
    ),
    ("It belongs to the event loop in which it was created.", "Threads may share it."),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait ", ""),
    (r"\bAsync(Client|MatchHandle|SeatHandle|Simulation|Iterator|Generator)\b", r"\1"),
    (r"\bAsyncTransport\b", "SyncTransport"),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\baclosing\b", "closing"),
)
"""Replacements, in order, that make the synchronous client."""


def generate_protobuf(protos: Path, package: str, out: Path) -> None:
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
    """Generate ``omnilude.v1`` and the synchronous client."""
    generate_protobuf(CLIENT / "protos", "omnilude", CLIENT)
    source = (CLIENT / "omnilude" / "async_client.py").read_text(encoding="utf-8")
    target = CLIENT / "omnilude" / "client.py"
    text = synchronous(source)
    if not target.exists() or target.read_text(encoding="utf-8") != text:
        target.write_text(text, encoding="utf-8")


def synchronous(source: str) -> str:
    """Convert the source of the asyncio client to that of the synchronous client."""
    for pattern, replacement in SYNCHRONOUS:
        source, count = re.subn(pattern, replacement, source)
        assert count, f"nothing matches {pattern!r}"
    return source


def runtime_requirements() -> list[str]:
    """Returns the requirements of generated code: grpcio and protobuf, at least as new as the generator itself."""
    requirements = metadata.requires("grpcio-tools") or []
    return sorted(line for line in requirements if re.match(r"(grpcio|protobuf)\b(?!-)", line))


if __name__ == "__main__":
    generate_client()
