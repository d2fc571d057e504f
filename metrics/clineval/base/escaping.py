"""Escape data for each notation, so that it is never markup, a formula or a terminal command.

Names of documents, codes, labels and paths come from other people. All code that shows or writes
them uses the functions of this file.
"""

from __future__ import annotations

import codecs
import csv
import json
import re
from collections.abc import Iterable, Sequence
from io import StringIO

ESCAPES = "clineval.escapes"
"""Error handler of a text stream: write characters that its encoding lacks as escapes."""
_HIDDEN = r"\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff"
_IN_TEXT = re.compile(rf"[\x00-\x1f{_HIDDEN}]")
_IN_JSON = re.compile(rf"[{_HIDDEN}]")
_FORMULA = re.compile(r"[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_IN_MARKDOWN = re.compile(
    r"[\\`*~|]"
    r"|<(?=[a-zA-Z/!?])"  # a tag, but not "p < 0.05"
    r"|&(?=[#\w])"
    r"|\](?=[(\[:])"  # a link, but not an interval
    r"|(?<![^\W_])_|_(?![^\W_])"  # emphasis, but not the name of a score
)
_BLOCK = re.compile(r"(?:\d+(?=[.)])|(?=[#>+=-]))")
_ENTITIES = {"<": "&lt;", "&": "&amp;"}
_IN_LATEX = str.maketrans(
    {
        **{character: f"\\{character}" for character in "&%$#_{}"},
        "\\": r"\textbackslash{}",
        "~": r"\textasciitilde{}",
        "^": r"\textasciicircum{}",
        "×": r"$\times$",
        "<": "$<$",
        ">": "$>$",
        "–": "--",
        "±": r"$\pm$",
        "†": r"$^\dagger$",
    }
)
_NUMBERS = re.compile(r"[\d\s.,+±†\[\]-]+", re.ASCII)
_MINUS = re.compile(r"(?<![^\s\[])-(?=\d)")


def visible(text: str) -> str:
    r"""Put text on one line, and escape every character that controls how it is displayed.

    These are control characters (C0, DEL, C1), the separators of lines and paragraphs,
    characters that embed, override or isolate a direction of writing, and lone surrogates.

    Examples:
        >>> print(visible("\x1b[31mred\n"), visible("a\u202eb"))
        \x1b[31mred\n a\u202eb
    """
    return _IN_TEXT.sub(lambda match: match[0].encode("unicode_escape").decode(), text)


def escape_lacking(error: UnicodeError) -> tuple[str, int]:
    r"""Escape characters that an encoding lacks as ``\\uXXXX``; see ``codecs.register_error``.

    Examples:
        >>> "5 × 3 👿".encode("ascii", ESCAPES)
        b'5 \\u00d7 3 \\ud83d\\udc7f'
    """
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lacking = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    units = (lacking[at : at + 2].hex() for at in range(0, len(lacking), 2))
    return "".join(f"\\u{unit}" for unit in units), error.end


codecs.register_error(ESCAPES, escape_lacking)


def write_json(value: object) -> str:
    r"""Write JSON for people and programs; terminal controls are escaped as ``\\uXXXX``."""
    written = json.dumps(value, indent=2, ensure_ascii=False)
    return _IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def write_csv(rows: Iterable[Sequence[object]]) -> str:
    r"""Write CSV with a line for each row, without formulas for a spreadsheet.

    An apostrophe is put before text that a spreadsheet would calculate, unless it is a number.
    Control characters are escaped as in :func:`visible`. The page's script writes the same.

    Examples:
        >>> write_csv([("=1+1", "-5", -0.1, "-x", "a,b")])
        '\'=1+1,-5,-0.1,\'-x,"a,b"\n'
    """
    buffer = StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([_cell(value) for value in row] for row in rows)
    return buffer.getvalue()


def _cell(value: object) -> object:
    if not isinstance(value, str):
        return value
    calculated = _FORMULA.match(value) and not _NUMBER.fullmatch(value)
    return "'" * bool(calculated) + visible(value)


def in_markdown(text: str) -> str:
    r"""Escape text for a line or a cell of Markdown: no HTML, link or emphasis.

    Examples:
        >>> print(in_markdown("<b>|[x](javascript:y)"), in_markdown("body_location"))
        &lt;b>\|[x\](javascript:y) body_location
    """
    return _IN_MARKDOWN.sub(lambda match: _ENTITIES.get(match[0], f"\\{match[0]}"), visible(text))


def line_of_markdown(text: str) -> str:
    r"""Escape text for a paragraph of Markdown: also no heading, list or block quote.

    Examples:
        >>> print(line_of_markdown("# a"), line_of_markdown("1. b"))
        \# a 1\. b
    """
    line = in_markdown(text).strip()
    start = _BLOCK.match(line)
    return f"{start[0]}\\{line[start.end() :]}" if start else line


def in_latex(text: str) -> str:
    r"""Escape text for LaTeX.

    Examples:
        >>> print(in_latex(r"50 % of C_1 \input{x}"))
        50 \% of C\_1 \textbackslash{}input\{x\}
    """
    return visible(text).translate(_IN_LATEX)


def number_in_latex(text: str) -> str:
    r"""Escape the text of a cell for LaTeX; write hyphens of numbers and intervals as minus.

    Examples:
        >>> print(number_in_latex("[-0.1, 0.2]"), number_in_latex("C-1"))
        [$-$0.1, 0.2] C-1
    """
    written = in_latex(text)
    return _MINUS.sub("$-$", written) if _NUMBERS.fullmatch(text) else written
