"""Readers and writers; the only place where input is judged."""
