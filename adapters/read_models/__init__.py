"""Read models over rows, for every engine."""
