"""AWS Lambda functions."""
