"""What a challenge declares, the annotations in its interface, and counts, scores and tables."""
