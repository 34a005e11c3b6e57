"""What other systems are told of what was recorded."""
