"""Evidence: the results of checking single records."""
