"""Kinds of annotation: columns, pairing and outcomes, without any challenge's rules."""
