"""Ranked runs: trec_eval's measures."""
