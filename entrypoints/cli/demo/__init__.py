"""The demo: a data platform, a day of its history, and an incident."""
