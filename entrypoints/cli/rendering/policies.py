"""What enforcers are told, as the terminal shows it."""

from rich.console import RenderableType

from entrypoints.cli.rendering.screen import Screen, facts
from entrypoints.cli.running_server import Answer

_UNREGISTERED = {
    "WARN": "not registered: enforcers let records pass and warn",
    "FAIL": "not registered: enforcers let records fail",
    "PASS": "not registered: enforcers let records pass",
}


def drawn_policy(answer: Answer, _: Screen) -> RenderableType:
    miss = answer["fallback_on_miss"]
    schema, contract = answer["schema_binding"] or {}, answer["contract_binding"] or {}
    return facts(
        [
            ("dataset", answer["dataset_urn"]),
            ("status", answer["status"] if answer["registered"] else _UNREGISTERED[miss]),
            ("degraded", _degraded(answer)),
            ("tier", answer["tier"]),
            ("owner", answer["owner_team"]),
            ("schema", " ".join(filter(None, [schema.get("registry"), schema.get("schema_name")]))),
            ("contract", contract.get("contract_id")),
            ("required", ", ".join(contract.get("required_fields") or [])),
            ("constrained", ", ".join(contract.get("field_constraints") or {})),
            ("personal data", _scanned(answer["pii_policy"])),
            ("kept for", f"{answer['cache_ttl_seconds']} s"),
            ("version", str(answer["config_version"])),
            ("tag", answer["etag"]),
        ]
    )


def _degraded(answer: Answer) -> str | None:
    if answer.get("is_fallback"):
        return "the store could not be asked: this is the default"
    seconds = answer.get("stale_seconds")
    return None if seconds is None else f"a copy of {seconds:.0f} s ago: the store does not answer"


def _scanned(policy: Answer | None) -> str | None:
    if policy is None:
        return None
    if not policy["scan_enabled"]:
        return "not looked for"
    fields = ", ".join(policy["fields_to_scan"]) or "every field"
    return f"{policy['action_on_detection']} if found in {fields}"
