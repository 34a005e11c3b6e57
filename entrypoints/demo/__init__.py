"""The demo: a believable data platform, a day of its history, and an incident that unfolds."""
