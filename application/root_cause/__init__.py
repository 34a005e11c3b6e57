"""All there is about an incident, for whoever looks for its cause (S0-209, S0-250)."""
