"""What the machine itself provides: the time and fresh names."""
