"""Mentions as objects and as columns, and the pairing of gold and predicted mentions."""
