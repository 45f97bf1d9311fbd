"""Write the reference pages of the wire from the comments of the .proto files.

``docs/rpc.md`` (services and messages of omnilude.v1), ``docs/errors.md`` (the reasons) and ``docs/rpc-<game>.md`` (the
messages of each pack of this repository). ``make docs`` runs it; a test holds the committed pages to the contract.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
)

ROOT = Path(__file__).resolve().parents[1]
PROTOS = ROOT / "protos"
DOCS = ROOT / "docs"
CORE = "omnilude.v1"
SHARED = "gamepacks.api.v1"  # parts of positions; the page for authors of packs describes them
REASONS = "ErrorReason"
REASON_PREFIX = "ERROR_REASON_"
MADE = "<!-- Made by `make docs` from the comments of the .proto files: change those, not this page. -->"

# Numbers of fields in descriptor.proto: a comment is found by the path of such numbers to the element that it
# describes.
FILE_MESSAGES, FILE_ENUMS, FILE_SERVICES = 4, 5, 6
MESSAGE_FIELDS, ENUM_VALUES, SERVICE_METHODS = 2, 2, 2
FILE_PACKAGE = 2


@dataclass(frozen=True, slots=True)
class File:
    """A .proto file and its comments, by the path of the element that they describe."""

    proto: FileDescriptorProto
    comments: dict[tuple[int, ...], str]


def read_contract() -> list[File]:
    """Returns all .proto files, in the order of their paths."""
    from grpc_tools import protoc

    sources = sorted(str(path.relative_to(PROTOS)) for path in PROTOS.rglob("*.proto"))
    well_known = str(resources.files("grpc_tools") / "_proto")
    with tempfile.NamedTemporaryFile(suffix=".binpb") as out:
        flags = [f"-I{PROTOS}", f"-I{well_known}", f"--descriptor_set_out={out.name}", "--include_source_info"]
        if protoc.main(["protoc", *flags, *sources]) != 0:
            raise SystemExit("protoc failed")
        files = FileDescriptorSet.FromString(Path(out.name).read_bytes())
    return [
        File(file, {tuple(place.path): place.leading_comments for place in file.source_code_info.location})
        for file in files.file
    ]


def pages(files: Sequence[File]) -> dict[str, str]:
    """Returns the text of each page, by its path in docs/."""
    core = [file for file in files if file.proto.package == CORE]
    reasons = {name for name, _ in _reasons(core)}
    made = {"rpc.md": rpc_page(core), "errors.md": errors_page(core)}
    for package in sorted({file.proto.package for file in files} - {CORE, SHARED}):
        game = package.split(".")[1]
        ours = [file for file in files if file.proto.package == package]
        made[f"rpc-{game}.md"] = pack_page(game, package, ours, reasons)
    return made


def rpc_page(files: Sequence[File]) -> str:
    reasons = {name for name, _ in _reasons(files)}
    known = _known(files)
    parts = [
        MADE,
        "# The wire: omnilude.v1",
        "Every service, message and enum of the contract. The contract itself, for code generators, is the folder "
        "`protos/`. [errors.md](errors.md) lists the reasons for which calls fail. A `google.protobuf.Any` holds a "
        "message of the game's pack, for example of [Ominoes](rpc-ominoes.md).",
        "\n".join(f"* [{service}](#{service.lower()})" for service in _services(files)),
    ]
    parts += _calls(files, reasons)
    parts.append("## Messages and enums")
    parts += _types(files, known, without={REASONS})
    return _page(parts)


def errors_page(files: Sequence[File]) -> str:
    file, index = _enum(files, REASONS)
    rows = []
    for name, comment in _reasons(files):
        meaning, status = _split_status(comment)
        rows.append((f'<a id="{name.lower()}"></a>`{name}`', f"`{status}`", _cell(meaning)))
    return _page(
        [
            MADE,
            "# The error reasons",
            _text(file.comments[(FILE_ENUMS, index)]),
            _table(("reason", "status code", "meaning"), rows),
        ]
    )


def pack_page(game: str, package: str, files: Sequence[File], reasons: set[str]) -> str:
    # The comment of a file with a service is left out: that of the service says the same.
    heads = [_text(file.comments.get((FILE_PACKAGE,), "")) for file in files if not file.proto.service]
    parts = [MADE, f"# The messages of {game}: {package}", *filter(None, heads), *_calls(files, reasons)]
    return _page([*parts, "## Messages and enums", *_types(files, _known(files), without=set())])


def _calls(files: Sequence[File], reasons: set[str]) -> Iterator[str]:
    """Returns a section for each service, with its calls and their comments."""
    for file in files:
        for index, service in enumerate(file.proto.service):
            path = (FILE_SERVICES, index)
            yield from (f"## {service.name}", _linked(file.comments[path], reasons))
            for number, method in enumerate(service.method):
                text = _linked(file.comments[(*path, SERVICE_METHODS, number)], reasons)
                yield from (f"### {service.name}.{method.name}", _signature(method), text)


def _types(files: Sequence[File], known: dict[str, str], without: set[str]) -> Iterator[str]:
    """Returns a section for each message and enum, in the order of the files, with its comment and its table."""
    for file in files:
        for index, message in enumerate(file.proto.message_type):
            path = (FILE_MESSAGES, index)
            yield f"### {message.name}"
            yield _text(file.comments[path])
            if message.field:
                yield _fields(message, file, path, known)
        for index, enum in enumerate(file.proto.enum_type):
            if enum.name not in without:
                path = (FILE_ENUMS, index)
                yield f"### {enum.name}"
                yield _text(file.comments[path])
                yield _values(enum, file, path)


def _fields(message: DescriptorProto, file: File, path: tuple[int, ...], known: dict[str, str]) -> str:
    maps = {entry.name: entry for entry in message.nested_type if entry.options.map_entry}
    rows = []
    for number, field in enumerate(message.field):
        meaning = _cell(file.comments[(*path, MESSAGE_FIELDS, number)])
        if field.HasField("oneof_index") and not field.proto3_optional:
            meaning = f"*One of `{message.oneof_decl[field.oneof_index].name}`.* {meaning}"
        rows.append((f"`{field.name}`", _type(field, maps, known), str(field.number), meaning))
    return _table(("field", "type", "no.", "meaning"), rows)


def _values(enum: EnumDescriptorProto, file: File, path: tuple[int, ...]) -> str:
    rows = [
        (f"`{value.name}`", str(value.number), _cell(file.comments[(*path, ENUM_VALUES, number)]))
        for number, value in enumerate(enum.value)
    ]
    return _table(("value", "no.", "meaning"), rows)


def _type(field: FieldDescriptorProto, maps: dict[str, DescriptorProto], known: dict[str, str]) -> str:
    short = field.type_name.rpartition(".")[2]
    if short in maps:
        key, value = maps[short].field
        return f"map of {_type(key, maps, known)} to {_type(value, maps, known)}"
    if field.type_name:
        name = known.get(field.type_name, f"`{field.type_name.lstrip('.')}`")
    else:
        name = FieldDescriptorProto.Type.Name(field.type).removeprefix("TYPE_").lower()
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"repeated {name}"
    return f"optional {name}" if field.proto3_optional else name


def _signature(method: MethodDescriptorProto) -> str:
    def side(type_name: str, stream: bool) -> str:
        short = type_name.rpartition(".")[2]
        return f"{'stream of ' if stream else ''}[{short}](#{short.lower()})"

    return f"{side(method.input_type, method.client_streaming)} → {side(method.output_type, method.server_streaming)}"


def _services(files: Sequence[File]) -> list[str]:
    return [service.name for file in files for service in file.proto.service]


def _known(files: Sequence[File]) -> dict[str, str]:
    """Returns links to the types that are described on the same page, by full name."""
    names = [(file.proto.package, name) for file in files for name in _type_names(file.proto)]
    links = {f".{package}.{name}": f"[{name}](#{name.lower()})" for package, name in names}
    if f".{CORE}.{REASONS}" in links:
        links[f".{CORE}.{REASONS}"] = f"[{REASONS}](errors.md)"
    return links


def _type_names(proto: FileDescriptorProto) -> list[str]:
    return [message.name for message in proto.message_type] + [enum.name for enum in proto.enum_type]


def _enum(files: Sequence[File], name: str) -> tuple[File, int]:
    for file in files:
        for index, enum in enumerate(file.proto.enum_type):
            if enum.name == name:
                return file, index
    raise KeyError(name)


def _reasons(files: Sequence[File]) -> Iterator[tuple[str, str]]:
    """Returns the reasons as they are sent, with their comments."""
    file, index = _enum(files, REASONS)
    for number, value in enumerate(file.proto.enum_type[index].value):
        if value.number != 0:
            yield value.name.removeprefix(REASON_PREFIX), file.comments[(FILE_ENUMS, index, ENUM_VALUES, number)]


def _split_status(comment: str) -> tuple[str, str]:
    """Split the comment of a reason into its text and the status code, which is the last sentence."""
    found = re.fullmatch(r"(.*)\s([A-Z_]+)\.", _text(comment), flags=re.DOTALL)
    if found is None:
        raise SystemExit(f"no status code at the end of: {comment}")
    return found[1], found[2]


def _linked(comment: str, reasons: set[str]) -> str:
    """Returns a comment in which the names of error reasons link to their page."""
    return re.sub(
        r"\b[A-Z]+(?:_[A-Z]+)+\b",
        lambda word: f"[{word[0]}](errors.md#{word[0].lower()})" if word[0] in reasons else word[0],
        _text(comment),
    )


def _text(comment: str) -> str:
    """Returns the paragraphs of a comment, without the blank that follows each ``//``."""
    return "\n".join(line.removeprefix(" ").rstrip() for line in comment.strip("\n").split("\n")).strip()


def _cell(comment: str) -> str:
    """Returns the comment as one line, for a cell of a table."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in _text(comment).split("\n\n")]
    return "<br>".join(paragraphs).replace("|", r"\|")


def _table(head: tuple[str, ...], rows: Sequence[tuple[str, ...]]) -> str:
    lines = [head, tuple("---" for _ in head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _page(parts: Sequence[str]) -> str:
    return "\n\n".join(parts) + "\n"


def main() -> int:
    DOCS.mkdir(exist_ok=True)
    for name, text in pages(read_contract()).items():
        (DOCS / name).write_text(text, encoding="utf-8")
        print(f"wrote docs/{name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
