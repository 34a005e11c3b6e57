"""The terminal client: what is wrong, what is done about it, and who is affected, without curl."""
