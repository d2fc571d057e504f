"""One code against an ordered list of codes: lists, or lines of the Task 1 format."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.errors import InputError, called, shown, warn
from clineval.base.problems import Problem
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.formats import checking
from clineval.formats.delimited import clef
from clineval.formats.given.forms import items_of
from clineval.kinds.mentions.columns import MentionColumns, Side
from clineval.kinds.mentions.corpus import Corpus, Mentions, Reading, join_sides
from clineval.kinds.mentions.pairing import Pairs, find_same_spans
from clineval.kinds.mentions.slots import Slot

_NONE = "null"  # how None travels through the files of evaluate, where there are several processes
ANSWERS, CODE = Slot("cui", "codes"), Slot("cui", "code")
_READING = Reading(strict=True, values="written", repeats="merged", documents="gold")


@dataclass(frozen=True, slots=True, eq=False)
class Listed:
    """Abbreviations that are given as a list.

    Args:
        answers: the annotators' codes of each, best first, with commas between them.
        documents: the document of each.
    """

    answers: Coded
    documents: Coded


@dataclass(frozen=True, slots=True, eq=False)
class Abbreviations(Corpus):
    """Pre-annotated abbreviations with the annotators' codes and a system's.

    The attribute ``cui`` of the gold side holds the annotators' codes, best first, with commas
    between them. The spans of lists are unknown: there are no fragments, abbreviations have the
    same place on both sides, and each side numbers its codes independently.

    Args:
        all_documents: also those without any abbreviation, which do not count.
    """

    all_documents: tuple[str, ...]

    @property
    def has_spans(self) -> bool:
        """Whether the offsets of the abbreviations are known."""
        return not len(self.gold) or self.gold.columns.bounds[-1] > 0

    def blocks(self, documents: int = 0) -> Iterator[Abbreviations]:  # noqa: ARG002 - as Corpus
        """Yield the whole corpus, so that there is one warning of what has no partner."""
        yield self


def read_sides(
    references: Any, predictions: Sequence[Any], documents: Any
) -> tuple[Side | Listed, list[Any]]:
    """Read the references, and the predictions of each system.

    Args:
        references: one list of codes for each abbreviation, best first; or a path or text of
            lines whose third column holds such a list.
        predictions: one code or None for each abbreviation; or a path or text of lines.
        documents: for lists, the name of each abbreviation's document; None if each is a document.

    Raises:
        InputError: sides of different kinds or lengths, or not a list of codes.
    """
    for given in predictions:
        if _is_text(given) != _is_text(references):
            side = "predictions" if _is_text(given) else "references"
            raise InputError(
                f"the {side} are text or a path and the others are not",
                remedy="Give two lists, or two paths",
            )
    if _is_text(references):
        gold = clef.read_side(references, [ANSWERS], strict=True)
        return gold, [clef.read_side(given, [CODE], strict=True) for given in predictions]
    return _read_lists(references, predictions, documents)


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """Yield all problems of files of lines, predictions or references, line by line."""
    check = partial(clef.check, slots=[ANSWERS], repeats=False)
    return checking.find_problems(paths, clef.FILES, check)


def _is_text(given: Any) -> bool:
    return isinstance(given, (str, os.PathLike))


def _read_lists(
    references: Any, predictions: Sequence[Any], documents: Any
) -> tuple[Listed, list[Coded]]:
    wanted = "a list with one item for each abbreviation"
    found = [items_of(given, wanted, "predictions") for given in predictions]
    answers = items_of(references, wanted, "references")
    systems = [_read_codes(codes, len(answers)) for codes in found]
    listed = Coded.of([_some_codes(codes, at) for at, codes in enumerate(answers)])
    return Listed(listed, Coded.of(_names(documents, len(answers)))), systems


def _read_codes(codes: Sequence[Any], size: int) -> Coded:
    if len(codes) != size:
        raise InputError(
            f"expected as many predictions as references, got {len(codes)} and {size}",
            remedy="A prediction that is missing is None where it says CUI-less; otherwise give "
            "a code that no annotator gave",
        )
    return Coded.of([_one_code(code, at) for at, code in enumerate(codes)])


def _names(documents: Any, size: int) -> Sequence[str]:
    if documents is None:
        return [str(at) for at in range(size)]
    names = list(map(str, documents))
    if len(names) != size:
        raise InputError(
            f"expected {size} names, one for each abbreviation, got {len(names)}", where="documents"
        )
    return names


def _one_code(code: object, at: int) -> str:
    code = None if isinstance(code, str) and code == _NONE else code
    if code is not None and not isinstance(code, str):
        raise InputError(
            f"expected one code or None for CUI-less, got {shown(code)}",
            where=f"predictions, abbreviation {at}",
        )
    if code and ("," in code or _has_blanks(code)):
        raise InputError(
            f"expected one code, got {shown(code)}", where=f"predictions, abbreviation {at}"
        )
    return CODE.fold(code or "")


def _some_codes(codes: object, at: int) -> str:
    where = f"references, abbreviation {at}"
    parts = _parse(codes) if isinstance(codes, str) else codes
    parts = [""] if parts is None or (isinstance(codes, str) and codes == _NONE) else parts
    if not isinstance(parts, (list, tuple)) or not parts:
        problem = f"expected a list of codes, best first and at least one, got {shown(codes)}"
        raise InputError(problem, where=where, remedy="None stands for CUI-less")
    for code in parts:
        if code is not None and (not isinstance(code, str) or _has_blanks(code.strip())):
            raise InputError(f"expected a code, got {shown(code)}", where=where)
    return ",".join(CODE.fold((code or "").strip()) for code in parts)


def _parse(codes: str) -> Any:
    """Parse codes with commas between them, or a JSON list; return no code if it is neither."""
    if not codes.startswith("["):
        return codes.split(",")
    try:
        return parse_json(codes)
    except NotJsonError:
        return []


def _has_blanks(code: str) -> bool:
    return any(map(str.isspace, code))


def join(gold: Side | Listed, predicted: Any) -> Abbreviations:
    """Bring the two sides together, with predictions of annotated documents only.

    Documents without any abbreviation are left out: lists of abbreviations and lines cannot
    name them, only empty files can. Two lines for one abbreviation are an ``InputError``.
    """
    if isinstance(gold, Listed):
        return _join_lists(gold, predicted)
    corpus = join_sides(gold, predicted, [CODE], _READING)
    for side, mentions in (("references", corpus.gold), ("predictions", corpus.prediction)):
        _refuse_repeated(side, mentions, corpus)
    annotated = np.unique(corpus.gold.columns.document)
    return Abbreviations(
        tuple(corpus.documents[number] for number in annotated),
        _renumber(corpus.gold, annotated),
        _renumber(corpus.prediction, annotated),
        {k: corpus.texts[n] for k, n in enumerate(annotated.tolist()) if n in corpus.texts},
        corpus.documents,
    )


def _renumber(mentions: Mentions, annotated: IntArray) -> Mentions:
    document = np.searchsorted(annotated, mentions.columns.document)
    return replace(mentions, columns=replace(mentions.columns, document=document))


def _join_lists(gold: Listed, predicted: Coded) -> Abbreviations:
    order = np.argsort(gold.documents.ids, kind="stable")
    answers = _list_mentions(gold.answers, gold.documents, order)
    codes = _list_mentions(predicted, gold.documents, order)
    names = gold.documents.values
    return Abbreviations(names, answers, codes, {}, names)


def _list_mentions(codes: Coded, documents: Coded, order: IntArray) -> Mentions:
    none, size = np.zeros(0, np.int32), len(order)
    columns = MentionColumns(
        documents.ids[order],
        np.zeros(size + 1, np.int64),
        none,
        none,
        {"cui": Coded(codes.ids[order], codes.values)},
        Coded(np.zeros(size, np.int32), ("",)),
    )
    return Mentions(columns, np.arange(size), np.zeros(size, np.int64))


def pair_codes(corpus: Abbreviations) -> Pairs:
    """Pair each abbreviation with a system's code for its span."""
    pairs = find_same_spans(corpus)
    _warn_of_unpaired(len(corpus.gold) - len(pairs), len(corpus.prediction) - len(pairs))
    return pairs


def _refuse_repeated(side: str, mentions: Mentions, corpus: Corpus) -> None:
    place, shape = mentions.place, mentions.shape
    repeated = np.flatnonzero((place[1:] == place[:-1]) & (shape[1:] == shape[:-1]))
    if len(repeated):
        row = int(repeated[0])
        document = corpus.documents[mentions.columns.document[row]]
        raise InputError(
            f"two lines with different codes for the span {mentions.columns.text_of_spans(row)}",
            where=f"{side}, document {called(document)}",
            remedy="Give one line for each abbreviation; annotators' codes with commas between",
        )


def _warn_of_unpaired(missing: int, extra: int) -> None:
    problem = "{n} {abbreviation has|abbreviations have} no prediction and {counts|count} as wrong"
    warn(problem, n=missing)
    problem = "{n} {prediction has|predictions have} no pre-annotated span and {does|do} not count"
    warn(problem, n=extra)
