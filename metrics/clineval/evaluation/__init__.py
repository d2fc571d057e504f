"""A corpus read once and paired once, and all that follows from it."""
