"""Bearer tokens: who holds one, and what that allows."""
