"""What a gRPC contract promises, as text, and how another version of it breaks the promise."""

import json
from collections.abc import Iterator, Mapping

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorSet,
    MethodDescriptorProto,
)

Members = dict[str, str]
"""By number or name: how a field or method is written."""

Contract = dict[str, Members]
"""By the name of a message, an enumeration or a service."""


def contract(described: FileDescriptorSet) -> Contract:
    """All that callers may rely on; comments and the order of things are not."""
    promised: Contract = {}
    for file in described.file:
        for message in file.message_type:
            promised |= dict(_messages(f"message {file.package}.{message.name}", message))
        for enum in file.enum_type:
            promised[f"enum {file.package}.{enum.name}"] = _values(enum)
        for service in file.service:
            methods = {method.name: _signature(method) for method in service.method}
            promised[f"service {file.package}.{service.name}"] = methods
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
    yield name, {str(field.number): _field(message, field) for field in message.field}
    for nested in message.nested_type:
        yield from _messages(f"{name}.{nested.name}", nested)
    for enum in message.enum_type:
        yield f"enum {name.removeprefix('message ')}.{enum.name}", _values(enum)


def _field(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    kind = field.type_name.lstrip(".") or _KINDS[field.type]
    words = [_presence(message, field), kind, field.name]
    return " ".join(word for word in words if word)


def _presence(message: DescriptorProto, field: FieldDescriptorProto) -> str:
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return "repeated"
    if field.proto3_optional:
        return "optional"
    return f"oneof {message.oneof_decl[field.oneof_index].name}:" if _in_a_oneof(field) else ""


def _in_a_oneof(field: FieldDescriptorProto) -> bool:
    return field.HasField("oneof_index")


def _values(enum: EnumDescriptorProto) -> Members:
    return {str(value.number): value.name for value in enum.value}


def _signature(method: MethodDescriptorProto) -> str:
    asked = _streamed(method.input_type, method.client_streaming)
    answered = _streamed(method.output_type, method.server_streaming)
    return f"({asked}) returns ({answered})"


def _streamed(name: str, streaming: bool) -> str:
    return f"{'stream ' if streaming else ''}{name.lstrip('.')}"


_KINDS: Mapping[int, str] = {
    number: name.removeprefix("TYPE_").lower() for name, number in FieldDescriptorProto.Type.items()
}
