"""What new packages are made of: a definition and a demo for each kind, and common files."""

from pathlib import Path

STARTERS = Path(__file__).parent
KINDS = ("spans", "relations", "classes", "codes", "records", "events", "custom")
"""The kinds of annotation that a new package can score; ``custom`` has a rule of its own."""
