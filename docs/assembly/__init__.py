"""The site's sources, made of what lies in the repository: ``make docs`` runs it before Zensical.

Zensical builds what is in one folder; the manuals lie beside what they describe, where GitHub and
package indexes show them. So their texts are brought together here, with their links led anew.
"""
