"""Creation and verification of DynamoDB tables."""
