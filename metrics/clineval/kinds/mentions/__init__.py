"""Mentions: as objects, as columns, and how gold and predicted ones are paired."""
