"""What reacts to facts by itself, and says so in new facts."""
