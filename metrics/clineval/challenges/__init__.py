"""The challenges, one folder each: slots, rules of both protocols, pairing, counts, scores."""
