"""Relations: typed, between two mentions of one document."""
