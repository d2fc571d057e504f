"""Readers and writers of all formats; all input is validated here."""
