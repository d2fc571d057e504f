"""Collect the sources of the site from the repository: ``make docs`` runs it before Zensical.

The manuals are next to the code that they describe, where GitHub and package indexes show them.
Zensical builds a single folder, so this package copies their texts there and changes their links.
"""
