"""What a challenge declares, and its counts, scores and tables."""
