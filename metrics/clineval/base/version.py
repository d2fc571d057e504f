"""The version of clineval."""

__version__ = "0.1.0"
