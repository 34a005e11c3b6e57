"""Export and import of a log as one file."""
