"""Codes of whole documents: sets or ranked lists, with or without their places in the text."""
