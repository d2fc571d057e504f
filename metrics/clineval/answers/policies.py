"""Names of the policies for finding quotes and choosing among several places."""

from typing import Literal

Align = Literal["in-order", "first", "all", "unique"]
Match = Literal["exact", "whitespace", "fold", "fuzzy", "text", "set"]
