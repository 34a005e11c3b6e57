"""Looking after evidence from the command line."""
