"""Evidence over GraphQL."""
