"""Runs: documents, as a system ranks them."""
