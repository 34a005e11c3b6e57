"""The HTTP transport to DynamoDB: signing, replies, errors and capacity."""
