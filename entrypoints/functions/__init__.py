"""Functions for AWS Lambda."""
