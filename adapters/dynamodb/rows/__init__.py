"""Rows of the read models on DynamoDB."""
