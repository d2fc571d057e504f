"""Lists of the codes that may be given: which are known, and what the signature says of them."""

from __future__ import annotations

import os
from collections.abc import Iterable

from clineval.base.errors import InputError, agree, shown, warn
from clineval.base.hashing import hash_text
from clineval.formats.files import read_text_files
from clineval.results.options import Option

_FILES = r"\.(tsv|txt)$"


def read_code_list(given: object) -> frozenset[str] | None:
    """Read the codes that may be given.

    They are given as the path of TSV files that have them in their first column, or as a
    collection; None for all. A code that stands alone in its line keeps the line's end, as the
    released programs take it.

    Raises:
        InputError: something else, or no codes.
    """
    if given is None or isinstance(given, frozenset):
        return given
    if isinstance(given, (str, os.PathLike)):
        files = read_text_files(given, pattern=_FILES, separator="\t")
        texts = (file.content.decode() for file in files)
        lines = (line for text in texts for line in text.splitlines(keepends=True))
        found = frozenset(line.split("\t")[0] for line in lines if line.strip())
    else:
        listed = given if isinstance(given, (list, tuple, set)) else ()
        found = frozenset(code for code in listed if isinstance(code, str))
    if not found:
        raise InputError(f"expected a path or codes, got {shown(given)}", where="codes")
    return found


CODES = Option(
    "codes",
    "Valid codes, the first column of a TSV file.",
    kind="file",
    python="the valid codes, or the path of a TSV file whose first column has them",
    parse=read_code_list,
)


def check_codes(codes: Iterable[str], side: str, valid: Iterable[str], suffix: str = "") -> None:
    """Refuse gold codes that are not valid; predicted ones are wrong, of which a warning says.

    A code may have ``|`` and the suffix.
    """
    known = {code.strip() for code in valid}
    ending = f"|{suffix}" if suffix else ""
    unknown = [code for code in codes if code.removesuffix(ending) not in known]
    problem = "{n} {code is|codes are} not in the list of valid codes"
    if unknown and side == "references":
        raise InputError(agree(problem, len(unknown)), where=side)
    warn(f"{problem}, and {{is|are}} wrong", n=len(unknown))


def describe(valid: Iterable[str] | None) -> str:
    """Say of a list how long it is, and which one.

    Examples:
        >>> describe(None), describe(["12", "34"])
        ('any', '2-3f31fa')
    """
    codes = sorted({code.strip() for code in valid or ()})
    return "any" if valid is None else f"{len(codes)}-{hash_text(' '.join(codes)) >> 40:06x}"
