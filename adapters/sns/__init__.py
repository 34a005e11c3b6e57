"""Events to SNS."""
