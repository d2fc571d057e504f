"""Entries: medications with the fields that belong to each."""
