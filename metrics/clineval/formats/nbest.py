"""One code against an ordered list of codes: lists, or lines of the Task 1 format."""

from __future__ import annotations

import json
import os
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from clineval.arrays import Coded, IntArray
from clineval.errors import InputError, InputWarning, shown
from clineval.formats import clef_columns
from clineval.mentions.columns import MentionColumns
from clineval.mentions.corpus import Corpus, Mentions, Reading, join_sides
from clineval.mentions.pairing import find_same_spans
from clineval.mentions.slots import Slot

_NONE = "null"  # how None travels through the files of evaluate, where there are several processes
ANSWERS, CODE = Slot("cui", "codes"), Slot("cui", "code")
_READING = Reading(strict=True, values="written", repeats="merged", documents="gold")


@dataclass(frozen=True, slots=True, eq=False)
class Examples:
    """Pre-annotated abbreviations with the annotators' codes and a system's.

    Args:
        documents: the names of the documents that have abbreviations.
        gold: the ``n`` abbreviations; the attribute ``cui`` holds the annotators' codes, best
            first, with commas between them. Without fragments if spans are not known.
        predicted: ``[n]``, index of the predicted code; -1 where there is none.
        codes: the codes that were predicted, in the form in which codes compare.
    """

    documents: tuple[str, ...]
    gold: MentionColumns
    predicted: IntArray
    codes: tuple[str, ...]


def read_examples(predictions: Any, references: Any, documents: Any) -> Examples:
    """Read both sides.

    Args:
        predictions: one code or None for each abbreviation; or a path or text of lines.
        references: one list of codes for each abbreviation, best first; or a path or text of
            lines whose third column holds such a list.
        documents: for lists, the name of each abbreviation's document; None if each is by itself.

    Raises:
        InputError: sides of different kinds or lengths, no list of codes, or two lines for one
            abbreviation.

    Examples:
        >>> examples = read_examples(["C2", None], [["C1", "c2"], "C3"], None)
        >>> examples.gold.attributes["cui"].values, examples.predicted.tolist(), examples.codes
        (('c1,c2', 'c3'), [0, 1], ('c2', 'cui-less'))
    """
    sides = {"predictions": predictions, "references": references}
    texts = [side for side, given in sides.items() if isinstance(given, (str, os.PathLike))]
    if len(texts) == 1:
        raise InputError(
            f"the {texts[0]} are text or a path and the others are not",
            remedy="Give two lists, or two paths",
        )
    if texts:
        return pair_codes(read_corpus(predictions, references))
    predicted, answers = (_as_list(side, given) for side, given in sides.items())
    return _read_lists(predicted, answers, documents)


def _as_list(side: str, given: Any) -> Sequence[Any]:
    if not isinstance(given, Iterable) or isinstance(given, (dict, bytes)):
        raise InputError(
            f"expected a list with one item for each abbreviation, or a path, got {shown(given)}",
            where=side,
        )
    return given if isinstance(given, (list, tuple)) else list(given)


def _read_lists(predictions: Sequence[Any], references: Sequence[Any], documents: Any) -> Examples:
    if len(predictions) != len(references):
        raise InputError(
            f"expected as many predictions as references, got {len(predictions)} and "
            f"{len(references)}",
            remedy="A prediction that is missing is None where it says CUI-less; otherwise give "
            "a code that no annotator gave",
        )
    predicted = Coded.of([_one_code(code, at) for at, code in enumerate(predictions)])
    answers = Coded.of([_some_codes(codes, at) for at, codes in enumerate(references)])
    names = _names(documents, len(references))
    numbers = Coded.of(names)
    order = np.argsort(numbers.ids, kind="stable")
    none = np.zeros(0, np.int32)
    gold = MentionColumns(
        numbers.ids[order],
        np.zeros(len(order) + 1, np.int64),
        none,
        none,
        {"cui": Coded(answers.ids[order], answers.values)},
        Coded(np.zeros(len(order), np.int32), ("",)),
    )
    return Examples(numbers.values, gold, predicted.ids[order], predicted.values)


def _names(documents: Any, size: int) -> Sequence[str]:
    if documents is None:
        return [str(at) for at in range(size)]
    names = list(map(str, documents))
    if len(names) != size:
        raise InputError(
            f"expected {size} names, one for each abbreviation, got {len(names)}",
            where="documents",
        )
    return names


def _one_code(code: object, at: int) -> str:
    code = None if code == _NONE else code
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
    parts = [""] if parts is None or codes == _NONE else parts
    if not isinstance(parts, (list, tuple)) or not parts:
        raise InputError(f"expected a list of codes, best first, got {shown(codes)}", where=where)
    for code in parts:
        if code is not None and (not isinstance(code, str) or _has_blanks(code.strip())):
            raise InputError(f"expected a code, got {shown(code)}", where=where)
    return ",".join(CODE.fold((code or "").strip()) for code in parts)


def _parse(codes: str) -> Any:
    """Codes with commas between them, or a JSON list; no code if it is neither."""
    if not codes.startswith("["):
        return codes.split(",")
    try:
        return json.loads(codes)
    except ValueError:
        return []


def _has_blanks(code: str) -> bool:
    return any(map(str.isspace, code))


def read_corpus(predictions: Any, references: Any) -> Corpus:
    """Read both sides from lines of the Task 1 format; of the predictions only annotated documents.

    Raises:
        InputError: a line that cannot be read, or two lines for one abbreviation.
    """
    gold = clef_columns.read_side(references, [ANSWERS], strict=True)
    predicted = clef_columns.read_side(predictions, [CODE], strict=True)
    corpus = join_sides(gold, predicted, [CODE], _READING)
    for side, mentions in (("references", corpus.gold), ("predictions", corpus.prediction)):
        _refuse_repeated(side, mentions, corpus)
    return corpus


def pair_codes(corpus: Corpus) -> Examples:
    """The code that was predicted for the span of each abbreviation.

    Documents without any are left out: lists of abbreviations and lines cannot tell of them, only
    empty files can.
    """
    pairs = find_same_spans(corpus.gold, corpus.prediction)
    _warn_of_unpaired(len(corpus.gold) - len(pairs), len(corpus.prediction) - len(pairs))
    codes = corpus.prediction.columns.attributes["cui"]
    used = Coded.of([CODE.fold(value) for value in codes.values])
    found = np.full(len(corpus.gold), -1, np.int64)
    found[pairs.gold] = used.ids[codes.ids[pairs.prediction]]
    columns = corpus.gold.columns
    annotated, document = np.unique(columns.document, return_inverse=True)
    names = tuple(corpus.documents[number] for number in annotated)
    return Examples(names, replace(columns, document=document), found, used.values)


def _refuse_repeated(side: str, mentions: Mentions, corpus: Corpus) -> None:
    place, shape = mentions.place, mentions.shape
    repeated = np.flatnonzero((place[1:] == place[:-1]) & (shape[1:] == shape[:-1]))
    if len(repeated):
        row = int(repeated[0])
        document = corpus.documents[mentions.columns.document[row]]
        raise InputError(
            f"two lines with different codes for the span {mentions.columns.text_of_spans(row)}",
            where=f"{side}, document {document}",
            remedy="Give one line for each abbreviation; annotators' codes with commas between",
        )


def _warn_of_unpaired(missing: int, extra: int) -> None:
    if missing:
        warnings.warn(
            f"{missing} abbreviations have no prediction and count as wrong",
            InputWarning,
            stacklevel=2,
        )
    if extra:
        warnings.warn(
            f"{extra} predictions have no pre-annotated span and do not count",
            InputWarning,
            stacklevel=2,
        )
