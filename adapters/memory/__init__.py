"""A twin of every port that keeps nothing, for fast tests."""
