"""Codes of documents, with or without a place in the text."""
