"""Following the log: feeds, leases and followers."""
