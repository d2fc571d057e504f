"""Medication entries of i2b2 2009: as objects, as columns, and how they are aligned."""
