"""Following the log: subscriptions, their leases and their checkpoints."""
