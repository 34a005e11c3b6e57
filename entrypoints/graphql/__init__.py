"""GraphQL: what dashboards ask for, in one question."""
