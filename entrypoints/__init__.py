"""Ways in: HTTP, the command line, and the wiring they share."""
