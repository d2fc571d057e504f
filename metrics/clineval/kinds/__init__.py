"""Kinds of annotation: corpora, pairing and outcomes, without any challenge's rules."""
