"""Message classes of the games of the tests, compiled from their .proto files on first use."""

from __future__ import annotations

import functools
import tempfile
from importlib import resources
from pathlib import Path
from types import SimpleNamespace

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

PROTOS = Path(__file__).resolve().parents[2] / "protos"


@functools.cache
def compile_proto(path: Path) -> SimpleNamespace:
    """Returns the message classes of a .proto file by name; they are in the default pool.

    Python modules of imported .proto files of the project must have been imported before.
    """
    from grpc_tools import protoc

    well_known = str(resources.files("grpc_tools") / "_proto")
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "descriptors.bin"
        arguments = ["protoc", f"-I{path.parent}", f"-I{PROTOS}", f"-I{well_known}"]
        arguments += [f"--descriptor_set_out={target}", path.name]
        if protoc.main(arguments) != 0:
            raise RuntimeError(f"protoc failed on {path}")
        files = descriptor_pb2.FileDescriptorSet.FromString(target.read_bytes())
    pool = descriptor_pool.Default()
    for file in files.file:
        # A name of its own in the pool: two folders may hold files of the same name.
        file.name = f"{file.package.replace('.', '/')}/{file.name}"
        pool.AddSerializedFile(file.SerializeToString())
    (file,) = files.file
    classes = {
        message.name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"{file.package}.{message.name}"))
        for message in file.message_type
    }
    return SimpleNamespace(**classes)
