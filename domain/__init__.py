"""What the State Store knows about data health: pure decisions, no technology."""
