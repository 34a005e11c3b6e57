"""A stand-in for SNS, SQS and EventBridge, one for the whole process."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import boto3
import orjson
from attrs import frozen
from moto.server import ThreadedMotoServer

if TYPE_CHECKING:
    from mypy_boto3_events import EventBridgeClient
    from mypy_boto3_sns import SNSClient
    from mypy_boto3_sqs import SQSClient

ACCOUNT = "123456789012"


@frozen
class Aws:
    endpoint: str
    sns: "SNSClient"
    sqs: "SQSClient"
    events: "EventBridgeClient"

    def queue(self, name: str, **attributes: str) -> tuple[str, str]:
        """The address and the ARN of a new queue."""
        url = self.sqs.create_queue(QueueName=name, Attributes=attributes)["QueueUrl"]  # type: ignore[arg-type]  # names of attributes
        found = self.sqs.get_queue_attributes(QueueUrl=url, AttributeNames=["QueueArn"])
        return url, found["Attributes"]["QueueArn"]

    def received(self, url: str, read: Callable[[dict[str, Any]], Any]) -> list[Any]:
        """All that is in the queue now, as read from the bodies."""
        found: list[Any] = []
        while messages := self.sqs.receive_message(
            QueueUrl=url, MaxNumberOfMessages=10, WaitTimeSeconds=0
        ).get("Messages"):
            for message in messages:
                found.append(read(orjson.loads(message["Body"])))
                self.sqs.delete_message(QueueUrl=url, ReceiptHandle=message["ReceiptHandle"])
        return found


@contextmanager
def aws() -> Iterator[Aws]:
    server = ThreadedMotoServer("127.0.0.1", port=0, verbose=False)
    server.start()
    try:
        host, port = server.get_host_and_port()
        endpoint = f"http://{host}:{port}"
        session = boto3.Session("local", "not-a-secret", region_name="us-east-1")
        made = [session.client(name, endpoint_url=endpoint) for name in ("sns", "sqs", "events")]
        yield Aws(endpoint, *made)
    finally:
        server.stop()
