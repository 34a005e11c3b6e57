"""The root-cause context of an incident (S0-209, S0-250)."""
