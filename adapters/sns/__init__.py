"""Events to an SNS topic."""
