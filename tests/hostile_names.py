"""Names that look like markup, formulas and commands to a terminal."""

import unicodedata

MARKUP = ("[/x]", "[bold]x[/bold]", ":pill:")
COMMANDS = ("\x1b[31mred", "a\x9b2Jb", "right\u202etoleft", "two\nlines")
FORMULAS = ("=1+1", "@SUM(A1)", "+1-x", "-x", "\t=2", "\r=3")
HTML = ("<img src=x>", "[x](javascript:alert(1))")
NAMES = (*MARKUP, *COMMANDS, *FORMULAS, *HTML)

_TURNS = {"LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI"}


def steers(character):
    """Whether a character moves, colours or turns what a terminal shows."""
    turns = unicodedata.bidirectional(character) in _TURNS
    return turns or unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp")


def escaped(name):
    """How a name is shown."""
    return name.encode("unicode_escape").decode()
