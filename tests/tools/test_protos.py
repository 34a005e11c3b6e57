"""The code is what the contract says, and the contract breaks no promise (S0-125..S0-145)."""

from pathlib import Path

import pytest
from google.protobuf.descriptor_pb2 import FileDescriptorSet

from tools.proto_contract import breaks, contract, read
from tools.protos import CONTRACT, FOLDER, PACKAGES, describe, generate

PROTO = """\
syntax = "proto3";
package observability.statestore.v1;

enum Colour {
  option allow_alias = true;
  NONE = 0;
  NOTHING = 0;
  RED = 1;
}

message Asked {
  string name = 1;
  repeated int64 numbers = 2;
  oneof way {
    string left = 3;
    string right = 4;
  }
  message Inner {
    bool said = 1;
  }
  map<string, int32> counts = 6;
  string file_name = 8;
  reserved 10 to 12;
  reserved "old";
}

message Told {
  optional double score = 1;
}

service Seer {
  rpc Ask(Asked) returns (Told);
  rpc Listen(Asked) returns (stream Told);
  rpc Look(Asked) returns (Told) {
    option idempotency_level = NO_SIDE_EFFECTS;
  }
}
"""


def changed(folder: Path, old: str = "", new: str = "") -> list[str]:
    """How the contract above is broken where something else is written."""
    assert old in PROTO
    return breaks(
        contract(described(folder, PROTO)), contract(described(folder, PROTO.replace(old, new, 1)))
    )


def described(folder: Path, text: str) -> FileDescriptorSet:
    path = folder / FOLDER / "oracle.proto"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return describe(folder)


@pytest.mark.parametrize("package", PACKAGES)
def test_the_generated_code_is_up_to_date(package: str, tmp_path: Path) -> None:
    generate(package, tmp_path)
    made = {path.name: path.read_text() for path in tmp_path.iterdir()}
    kept = {path.name: path.read_text() for path in PACKAGES[package].glob("*.py*")}
    assert kept == made, "`make generated` writes it"


def test_what_the_contract_promises_is_written_down() -> None:
    assert read(CONTRACT.read_text()) == contract(describe()), "`make generated` writes it"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  string name = 1;\n", "", "message Asked: 1 (string name) is gone"),
        ("string name = 1", "string name = 9", "message Asked: 1 (string name) is gone"),
        ("string name", "bytes name", "message Asked: 1 was string name, and is bytes name"),
        (
            "string name",
            "string title",
            "message Asked: 1 was string name, and is string title",
        ),
        (
            "repeated int64 numbers",
            "int64 numbers",
            "message Asked: 2 was repeated int64 numbers, and is int64 numbers",
        ),
        (
            "optional double score",
            "double score",
            "message Told: 1 was optional double score, and is double score",
        ),
        ("    string left = 3;\n", "", "message Asked: 3 (oneof way: string left) is gone"),
        ("    bool said = 1;\n", "", "message Asked.Inner: 1 (bool said) is gone"),
        ("  RED = 1;\n", "", "enum Colour: RED (1) is gone"),
        ("RED = 1;", "RED = 2;", "enum Colour: RED was 1, and is 2"),
        ("NOTHING = 0;", "VOID = 0;", "enum Colour: NOTHING (0) is gone"),
        (
            "map<string, int32>",
            "map<string, int64>",
            "message Asked.CountsEntry: 2 was int32 value, and is int64 value",
        ),
        (
            "string file_name = 8;",
            'string file_name = 8 [json_name = "path"];',
            "message Asked: 8 was string file_name, and is string file_name (path in JSON)",
        ),
        ("  reserved 10 to 12;\n", "", "message Asked: 10 to 12 (reserved) is gone"),
        ('  reserved "old";\n', "", "message Asked: old (reserved) is gone"),
        (
            "{\n    option idempotency_level = NO_SIDE_EFFECTS;\n  }",
            ";",
            "service Seer: Look only reads (and may be repeated) is gone",
        ),
        (
            "  oneof way {\n    string left = 3;",
            "  string left = 3;\n  oneof way {",
            "message Asked: 3 was oneof way: string left, and is string left",
        ),
        (
            "  rpc Ask(Asked) returns (Told);\n",
            "",
            "service Seer: Ask ((Asked) returns (Told)) is gone",
        ),
        (
            "Ask(Asked)",
            "Ask(stream Asked)",
            "service Seer: Ask was (Asked) returns (Told), and is (stream Asked) returns (Told)",
        ),
        (
            "returns (stream Told)",
            "returns (Told)",
            "service Seer: Listen was (Asked) returns (stream Told), and is (Asked) returns (Told)",
        ),
        (
            "Ask(Asked)",
            "Ask(Told)",
            "service Seer: Ask was (Asked) returns (Told), and is (Told) returns (Told)",
        ),
        ("service Seer", "service Sphinx", "service Seer is gone"),
        ("message Inner {\n    bool said = 1;\n  }", "", "message Asked.Inner is gone"),
    ],
)
def test_every_kind_of_break_is_found(old: str, new: str, said: str, tmp_path: Path) -> None:
    told = [one.replace("observability.statestore.v1.", "") for one in changed(tmp_path, old, new)]
    assert [one for one in told if not one.startswith("file ")] == [said]


def test_what_moves_to_another_file_breaks_those_who_import_it(tmp_path: Path) -> None:
    before = contract(described(tmp_path, PROTO))
    moved = "message Moved {}\n"
    whole = contract(described(tmp_path, PROTO + moved))
    other = tmp_path / FOLDER / "other.proto"
    other.write_text(f'syntax = "proto3";\npackage observability.statestore.v1;\n{moved}')
    apart = contract(described(tmp_path, PROTO))
    assert breaks(before, whole) == breaks(before, apart) == []
    assert breaks(whole, apart) == [f"file {FOLDER}/oracle.proto: Moved (message) is gone"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("string name = 1;", "string name = 1;\n  string title = 7;"),
        ("  RED = 1;", "  RED = 1;\n  BLUE = 2;"),
        ("service Seer {", "service Seer {\n  rpc Hint(Asked) returns (Told);"),
        ("service Seer", "message New {}\nservice Second {}\nservice Seer"),
        ("message Asked", "// Said aloud.\nmessage Asked"),
    ],
)
def test_what_is_new_breaks_nothing(old: str, new: str, tmp_path: Path) -> None:
    assert changed(tmp_path, old, new) == []
