"""
Write the code of the gRPC contract, for the server and for the client.

Each package gets all of it, with imports of its own, so that neither needs the other. What the
contract promises is kept beside it, in `protos/contract.json`: whatever breaks that promise is
refused, and whatever is new is added to it.
"""

import re
import sys
import tempfile
from collections.abc import Mapping
from importlib import resources
from pathlib import Path

from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc  # type: ignore[import-untyped]  # it has none

from tools.proto_contract import breaks, contract, read, written

ROOT = Path(__file__).parents[1]
PROTOS = ROOT / "protos"
CONTRACT = PROTOS / "contract.json"
FOLDER = "observability/statestore/v1"

PACKAGES: Mapping[str, Path] = {
    "entrypoints.grpc.messages": ROOT / "entrypoints" / "grpc" / "messages",
    "statestore_client.messages": ROOT / "client" / "statestore_client" / "messages",
}
"""Where the code goes, by the name it is imported under."""

_OURS = re.compile(r"^from observability\.statestore\.v1 import", re.MULTILINE)
_INIT = '"""Messages of the gRPC contract, written by `make protos`: do not edit."""\n'


class CannotCompile(Exception):
    pass


def main() -> int:
    described = describe()
    broken = breaks(read(CONTRACT.read_text()), contract(described)) if CONTRACT.exists() else []
    if broken:
        print("This would break those who use the contract:", *broken, sep="\n  ", file=sys.stderr)
        return 1
    CONTRACT.write_text(written(contract(described)))
    for package, folder in PACKAGES.items():
        generate(package, folder)
    return 0


def describe(protos: Path = PROTOS) -> FileDescriptorSet:
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "described"
        _protoc(protos, f"--descriptor_set_out={out}")
        return FileDescriptorSet.FromString(out.read_bytes())


def generate(package: str, folder: Path) -> None:
    """Write all modules of the contract into the folder, and nothing else is left there."""
    with tempfile.TemporaryDirectory() as scratch:
        _protoc(PROTOS, f"--python_out={scratch}", f"--pyi_out={scratch}")
        made = {path.name: path.read_text() for path in (Path(scratch) / FOLDER).iterdir()}
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.py*"):
        old.unlink()
    (folder / "__init__.py").write_text(_INIT)
    for name, text in made.items():
        (folder / name).write_text(_OURS.sub(f"from {package} import", text))


def _protoc(protos: Path, *options: str) -> None:
    files = sorted(str(path.relative_to(protos)) for path in protos.rglob("*.proto"))
    included = resources.files("grpc_tools") / "_proto"
    if protoc.main(["protoc", f"-I{protos}", f"-I{included}", *options, *files]) != 0:
        raise CannotCompile(f"the protos in {protos} cannot be compiled")


if __name__ == "__main__":
    sys.exit(main())
