"""Sending the demo's requests, and carrying on where something is already so."""

from attrs import define, field

from entrypoints.cli.demo.calls import Call
from entrypoints.cli.demo.evidence import named_by
from entrypoints.cli.running_server import Answer, RunningServer, ServerRefused

EVIDENCE = "/api/v1/evidence"

_THERE, _ENDED = "ALREADY_EXISTS", "INVALID_STATE"
"""A dataset of an earlier run, and an incident that has ended without us."""


@define
class UpdatesRefused(Exception):
    count: int
    reason: str

    def __str__(self) -> str:
        return f"{self.count} updates were refused; the first because {self.reason}"


@define
class Sender:
    """Knows the incidents that were opened, by their names in the demo."""

    server: RunningServer
    incidents: dict[str, str] = field(factory=dict)
    updates: int = 0
    calls: int = 0

    def send(self, call: Call) -> Answer | None:
        """The answer; nothing if it is already so. The evidence that it names is sent before it.

        Raises:
            ServerAway, ServerRefused, UpdatesRefused
        """
        if call.opens:
            self.incidents.setdefault(call.opens, call.body["incident_id"] or "")
        for items in named_by(call):
            self.server.ask("POST", EVIDENCE, items)
        path = call.path.format_map(self.incidents)
        self.calls += 1
        try:
            answer = self.server.ask(call.method, path, call.body)
        except ServerRefused as error:
            if error.code == _THERE or (error.code == _ENDED and not call.opens):
                return None
            raise
        self._learn(call, answer)
        return answer

    def _learn(self, call: Call, answer: Answer) -> None:
        if call.opens:
            # Perhaps one that had been open for this fault before.
            self.incidents[call.opens] = answer["incident_id"]
        if answer.get("failure_count"):
            refused = next(one for one in answer["results"] if not one["success"])
            raise UpdatesRefused(answer["failure_count"], refused["error_message"])
        self.updates += answer.get("success_count", 0)
