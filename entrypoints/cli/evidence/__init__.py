"""`statestore evidence`: maintenance of evidence."""
