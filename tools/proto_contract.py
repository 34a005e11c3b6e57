"""What a gRPC contract promises, as text, and how another version of it breaks the promise."""

import json
from collections.abc import Iterator, Mapping

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
    MethodOptions,
    ServiceDescriptorProto,
)

Members = dict[str, str]
"""By number or name: how a field or method is written."""

Contract = dict[str, Members]
"""By the name of a file, a message, an enumeration or a service."""


def contract(described: FileDescriptorSet) -> Contract:
    """All that callers may rely on; comments and the order of things are not."""
    promised: Contract = {}
    for file in described.file:
        promised[f"file {file.name}"] = _contents(file)
        for message in file.message_type:
            promised |= dict(_messages(f"message {file.package}.{message.name}", message))
        for enum in file.enum_type:
            promised[f"enum {file.package}.{enum.name}"] = _values(enum)
        for service in file.service:
            promised[f"service {file.package}.{service.name}"] = _methods(service)
    return promised


def breaks(before: Contract, after: Contract) -> list[str]:
    """Every promise that is no longer kept. What is new breaks none."""
    return [
        said
        for name, members in before.items()
        for said in (_broken(name, members, after[name]) if name in after else [f"{name} is gone"])
    ]


def written(promised: Contract) -> str:
    return json.dumps({name: promised[name] for name in sorted(promised)}, indent=2) + "\n"


def read(text: str) -> Contract:
    promised: Contract = json.loads(text)
    return promised


def _broken(name: str, before: Members, after: Members) -> Iterator[str]:
    for key, was in before.items():
        if key not in after:
            yield f"{name}: {key} ({was}) is gone"
        elif after[key] != was:
            yield f"{name}: {key} was {was}, and is {after[key]}"


def _messages(name: str, message: DescriptorProto) -> Iterator[tuple[str, Members]]:
    fields = {str(field.number): _field(message, field) for field in message.field}
    yield name, fields | _reserved(message)
    for nested in message.nested_type:
        yield from _messages(f"{name}.{nested.name}", nested)
    for enum in message.enum_type:
        yield f"enum {name.removeprefix('message ')}.{enum.name}", _values(enum)


def _field(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    kind = field.type_name.lstrip(".") or _KINDS[field.type]
    words = [_presence(message, field), kind, field.name, _in_json(field)]
    return " ".join(word for word in words if word)


def _presence(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return "repeated"
    if field.proto3_optional:
        return "optional"
    return f"oneof {message.oneof_decl[field.oneof_index].name}:" if _in_a_oneof(field) else ""


def _in_json(field: FieldDescriptorProto) -> str:
    """How JSON calls the field, if not as usual."""
    first, *others = field.name.split("_")
    usual = first + "".join(other[:1].upper() + other[1:] for other in others)
    return "" if field.json_name == usual else f"({field.json_name} in JSON)"


def _reserved(message: DescriptorProto) -> Members:
    """What must not be used again, because it once meant something else."""
    ranges = {f"{one.start} to {one.end - 1}": "reserved" for one in message.reserved_range}
    return ranges | dict.fromkeys(message.reserved_name, "reserved")


def _in_a_oneof(field: FieldDescriptorProto) -> bool:
    return field.HasField("oneof_index")


def _values(enum: EnumDescriptorProto) -> Members:
    return {value.name: str(value.number) for value in enum.value}


def _contents(file: FileDescriptorProto) -> Members:
    """Whoever imports one of them from a file still finds it there."""
    return (
        {message.name: "message" for message in file.message_type}
        | {enum.name: "enum" for enum in file.enum_type}
        | {service.name: "service" for service in file.service}
    )


def _methods(service: ServiceDescriptorProto) -> Members:
    """By name; those that only read are named once more, because callers repeat them."""
    only_read = [one.name for one in service.method if _only_reads(one)]
    return {method.name: _signature(method) for method in service.method} | {
        f"{name} only reads": "and may be repeated" for name in only_read
    }


def _only_reads(method: MethodDescriptorProto) -> bool:
    return bool(method.options.idempotency_level == MethodOptions.NO_SIDE_EFFECTS)


def _signature(method: MethodDescriptorProto) -> str:
    asked = _streamed(method.input_type, method.client_streaming)
    answered = _streamed(method.output_type, method.server_streaming)
    return f"({asked}) returns ({answered})"


def _streamed(name: str, streaming: bool) -> str:
    return f"{'stream ' if streaming else ''}{name.lstrip('.')}"


_KINDS: Mapping[int, str] = {
    number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()
}
