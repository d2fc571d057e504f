"""Abbreviations with the annotators' codes and a system's: lists, or lines of the Task 1 format."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from clineval.base.arrays import Coded, IntArray, is_iterable
from clineval.base.errors import InputError, called, shown
from clineval.base.files import Source
from clineval.base.strict_json import NotJsonError, parse_json
from clineval.formats.delimited import clef
from clineval.formats.delimited.lines import check_together
from clineval.formats.files import read_text_files
from clineval.formats.given.forms import Items, open_given
from clineval.kinds.documents import Whole
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus, Mentions, join_sides
from clineval.results.columns import MentionColumns
from clineval.results.slots import Slot

_NONE = "null"  # evaluate's files store None as this if there are several processes
ANSWERS, CODE = Slot("cui", "codes"), Slot("cui", "code")


@dataclass(frozen=True, slots=True, eq=False)
class Abbreviations(Whole, Corpus):
    """Pre-annotated abbreviations with the annotators' codes and a system's.

    The attribute ``cui`` of the gold side holds the annotators' codes, best first, separated by
    commas. Lists have no spans: there are no fragments, an abbreviation has the same position on
    both sides, and each side numbers its codes independently.

    Args:
        all_documents: all documents, including those without any abbreviation, which do not count.
    """

    all_documents: tuple[str, ...]


def read_side(given: object, side: str, documents: Iterable[object] | None) -> Side:
    """Read the references, or the predictions of a system.

    Args:
        given: a path or text of lines, whose third column holds the codes; or a list with one item
            for each abbreviation. References have a list of codes, best first; predictions have
            one code or None.
        side: ``references`` or ``predictions``.
        documents: for lists, the document of each abbreviation; None if each is its own document.

    Returns:
        The side; a side from lists has no keys and no fragments.

    Raises:
        InputError: names the abbreviation or the line.
    """
    gold = side == "references"
    read_item, slot = (_some_codes, ANSWERS) if gold else (_one_code, CODE)

    def read_items(items: Items) -> Side:
        codes = [read_item(each, at) for at, each in enumerate(items.values)]
        return _as_side(codes, Coded.of(_name_documents(documents, len(codes), strict=gold)))

    return open_given(
        given,
        side,
        Side,
        read_files=lambda source: _read_lines(source, slot),
        read_items=read_items,
        wanted="a list with one item for each abbreviation",
    )


def check(source: Source) -> None:
    """Reject files of lines, predictions or references, that break the format of submissions."""
    files = read_text_files(source, pattern=clef.FILES, separator=clef.SEPARATOR)
    check_together(files, partial(clef.check_files, slots=[ANSWERS], repeats=False))


def _read_lines(source: Source, slot: Slot) -> Side:
    """Read lines, whose codes are compared without case."""
    side = clef.read_side(source, [slot], strict=True)
    codes = side.mentions.attributes[slot.name]
    lowered = tuple(dict.fromkeys(map(str.lower, codes.values)))
    attributes = {slot.name: codes.fold(str.lower, lowered)}
    return replace(side, mentions=replace(side.mentions, attributes=attributes))


def _as_side(codes: Sequence[str], documents: Coded) -> Side:
    """Return mentions without fragments, in the order of the documents."""
    order = np.argsort(documents.ids, kind="stable")
    coded, none = Coded.of(codes), np.zeros(0, np.int32)
    cui = Coded(coded.ids[order], coded.values)
    bounds = np.zeros(len(order) + 1, np.int64)
    mentions = MentionColumns(documents.ids[order], bounds, none, none, {CODE.name: cui})
    return Side(documents.values, None, mentions)


def _name_documents(
    documents: Iterable[object] | None, size: int, *, strict: bool
) -> Sequence[str]:
    if isinstance(documents, str) or not (documents is None or is_iterable(documents)):
        problem = f"expected a list of names, one for each abbreviation, got {shown(documents)}"
        raise InputError(problem, where="documents")
    names = [] if documents is None else list(map(str, documents))
    if documents is None or (len(names) != size and not strict):
        return [str(at) for at in range(size)]
    if len(names) != size:
        raise InputError(
            f"expected {size} names, one for each abbreviation, got {len(names)}", where="documents"
        )
    return names


def _one_code(code: object, at: int) -> str:
    where = f"predictions, abbreviation {at}"
    if code is None:
        return CODE.fold("")
    if not isinstance(code, str):
        raise InputError(f"expected one code or None for CUI-less, got {shown(code)}", where=where)
    if "," in code or _has_blanks(code):
        raise InputError(f"expected one code, got {shown(code)}", where=where)
    return CODE.fold("" if code == _NONE else code)


def _some_codes(codes: object, at: int) -> str:
    where = f"references, abbreviation {at}"
    parts = _parse(codes) if isinstance(codes, str) else codes
    parts = [""] if parts is None else parts
    if not isinstance(parts, (list, tuple)) or not parts:
        problem = f"expected a list of codes, best first and at least one, got {shown(codes)}"
        raise InputError(problem, where=where, remedy="None stands for CUI-less")
    for code in parts:
        if code is not None and (not isinstance(code, str) or _has_blanks(code.strip())):
            raise InputError(f"expected a code, got {shown(code)}", where=where)
    return ",".join(CODE.fold((code or "").strip()) for code in parts)


def _parse(codes: str) -> object:
    """Parse codes separated by commas, or a JSON list; return no code for anything else."""
    if not codes.startswith("["):
        return [""] if codes == _NONE else codes.split(",")
    try:
        return parse_json(codes)
    except NotJsonError:
        return []


def _has_blanks(code: str) -> bool:
    return any(map(str.isspace, code))


def join_abbreviations(gold: Side, predicted: Side) -> Abbreviations:
    """Join the two sides; only predictions of annotated documents are kept.

    Documents without any abbreviation are left out, because only empty files can name them.

    Raises:
        InputError: an abbreviation has two lines, or the sides differ in form or size.
    """
    if (gold.keys is None) != (predicted.keys is None):
        side = "predictions" if gold.keys is None else "references"
        problem = f"the {side} are text or a path, and the other side is not"
        raise InputError(problem, remedy="Give two lists, or two paths")
    if gold.keys is None:
        _refuse_others(len(gold.mentions), len(predicted.mentions))
        size = len(gold.mentions)
        answers, codes = (
            Mentions(side.mentions, np.arange(size), np.zeros(size, np.int64))
            for side in (gold, predicted)
        )
        return Abbreviations(gold.documents, answers, codes, {}, gold.documents)
    corpus = join_sides(gold, predicted, [Slot(CODE.name, "label")], visited="gold")
    for side, mentions in (("references", corpus.gold), ("predictions", corpus.prediction)):
        _refuse_repeated(side, mentions, corpus.documents)
    annotated = np.unique(corpus.gold.columns.document)
    return Abbreviations(
        tuple(corpus.documents[number] for number in annotated),
        _renumber(corpus.gold, annotated),
        _renumber(corpus.prediction, annotated),
        {k: corpus.texts[n] for k, n in enumerate(annotated.tolist()) if n in corpus.texts},
        corpus.documents,
    )


def _refuse_others(answers: int, codes: int) -> None:
    if codes != answers:
        raise InputError(
            f"expected as many predictions as references, got {codes} and {answers}",
            remedy="Give None for CUI-less; for a missing prediction, give a code that no "
            "annotator gave",
        )


def _renumber(mentions: Mentions, annotated: IntArray) -> Mentions:
    document = np.searchsorted(annotated, mentions.columns.document)
    return replace(mentions, columns=replace(mentions.columns, document=document))


def _refuse_repeated(side: str, mentions: Mentions, documents: Sequence[str]) -> None:
    place, shape = mentions.place, mentions.shape
    repeated = np.flatnonzero((place[1:] == place[:-1]) & (shape[1:] == shape[:-1]))
    if len(repeated):
        row = int(repeated[0])
        document = documents[mentions.columns.document[row]]
        raise InputError(
            f"two lines with different codes for the span {mentions.columns.text_of_spans(row)}",
            where=f"{side}, document {called(document)}",
            remedy="Give one line for each abbreviation; separate annotators' codes by commas",
        )
