"""Sections: labelled stretches of a note."""
