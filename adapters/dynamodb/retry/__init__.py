"""Retries of calls to DynamoDB."""
