"""Formats of lines with cells: pipes of SemEval-2015 and ShARe/CLEF, and tables."""
