"""Runs: documents in the order in which a system ranks them."""
