"""The declarations of a challenge, its annotations, and counts, scores and tables."""
