"""Ranked runs: judgments, topics, and trec_eval's measures."""
