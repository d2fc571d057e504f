"""Evaluations: read and pair a corpus once, and compute everything else from the pairs."""
