"""`statestore tables`: the tables there should be, those there are, and what is in them."""
