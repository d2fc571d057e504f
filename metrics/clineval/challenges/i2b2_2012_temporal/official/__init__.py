"""The i2b2 2012 program: what it reads, pairs, verifies and counts."""
