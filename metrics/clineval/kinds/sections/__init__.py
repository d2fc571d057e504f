"""Sections of notes: their boundaries, and the edits from one segmentation to another."""
