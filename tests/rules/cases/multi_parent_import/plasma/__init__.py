"""A plasma."""
