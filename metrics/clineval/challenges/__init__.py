"""The challenges, one file each: slots, rules of both protocols, pairing, counts, scores."""
