"""Gold standards that have names, in the list of each challenge."""
