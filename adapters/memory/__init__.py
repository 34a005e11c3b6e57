"""In-memory implementations of every port, for fast tests."""
