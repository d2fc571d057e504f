"""How quotes are looked for, and which of several places counts: the names of the choices."""

from typing import Literal

Align = Literal["in-order", "first", "all", "unique"]
Match = Literal["exact", "whitespace", "fold", "fuzzy", "text"]
