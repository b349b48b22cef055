"""A model of a reef."""
