"""`statestore tables`: the declared tables, the existing ones, and their contents."""
