"""How trec_eval 9 reads runs and judgments, and which documents it uses."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import index
from typing import ClassVar

from clineval.base.errors import InputError, warn
from clineval.challenges.clefehealth13_task3.corpus import Qrels, Row, Rows, Run, index_rows, rank
from clineval.challenges.clefehealth13_task3.spec import Spec
from clineval.challenges.clefehealth13_task3.trec import QRELS, RUN, within_range

_REAL = re.compile(
    r"""[+-]?(?:
        (?P<hexadecimal>0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?\d+)?)
        |(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?
        |inf(?:inity)?
        |nan
    )""",
    re.ASCII | re.IGNORECASE | re.VERBOSE,
)
_WHOLE = re.compile(r"[+-]?\d+", re.ASCII)


def atof(word: str) -> float:
    """Return the number at the beginning of a word, or else 0.

    Examples:
        >>> atof("7abc"), atof("9,5"), atof("0x10"), atof("abc"), atof("-inf"), atof("1e999")
        (7.0, 9.0, 16.0, 0.0, -inf, inf)
    """
    found = _REAL.match(word)
    if not found:
        return 0.0
    return _from_hexadecimal(found[0]) if found["hexadecimal"] else float(found[0])


def _from_hexadecimal(number: str) -> float:
    try:
        return float.fromhex(number)
    except OverflowError:
        return -math.inf if number.startswith("-") else math.inf


def atol(word: str) -> int:
    """Return the whole number at the beginning of a word, or else 0.

    A number with more digits than Python reads raises a ``ValueError``; no ``long`` holds it.

    Examples:
        >>> atol("1.9"), atol("-2x"), atol("x")
        (1, -2, 0)
    """
    found = _WHOLE.match(word)
    return int(found[0]) if found else 0


@dataclass(frozen=True)
class Official(Spec):
    """The rules of trec_eval 9; reject whatever stops trec_eval.

    Args:
        depth: the number of documents of a topic that count, like ``trec_eval -M``; None for all.
    """

    depth: int | None = 1000

    runs: ClassVar = replace(
        RUN,
        convert=lambda cell: atof(cell) if isinstance(cell, str) else float(cell),
        open_ended=True,
    )
    judgments: ClassVar = replace(
        QRELS,
        convert=lambda cell: within_range(atol(cell) if isinstance(cell, str) else index(cell)),
    )

    def index(self, rows: Rows[float], qrels: Qrels) -> Run:
        """Return the best documents of each topic; other documents may be listed twice."""
        if not rows.keys() & qrels.keys():
            raise InputError(
                f"expected topics that have results and judgments, got {len(rows)} topics of the "
                f"run, {len(qrels)} topics of the judgments, and no topic in common",
                remedy="Give the judgments of the run's topics; trec_eval 9 stops here too",
            )
        if self.depth is not None:
            judged = {topic: found for topic, found in rows.items() if topic in qrels}
            deep = [topic for topic, found in judged.items() if len(found) > self.depth]
            problem = f"only the best {self.depth} documents count in topics with more documents"
            warn(f"{problem}: {{names}}", deep)
        return {topic: _index_best(topic, rows[topic], qrels, self.depth) for topic in rows}


def _index_best(
    topic: str, rows: Sequence[Row[float]], qrels: Qrels, depth: int | None
) -> dict[str, float]:
    """Return the best documents; documents that trec_eval ignores may be listed twice."""
    if topic not in qrels:
        return {document: score for _, document, score in rows}
    order = rank([document for _, document, _ in rows], [score for *_, score in rows])
    return index_rows(topic, [rows[at] for at in sorted(order[:depth])])
