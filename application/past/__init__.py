"""What was true at an earlier moment, folded from the streams that a question is about."""
