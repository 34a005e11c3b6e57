"""What can be set, a topic in each file. `entrypoints.settings` is all of it."""
