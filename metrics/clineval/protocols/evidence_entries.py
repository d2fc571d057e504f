"""Read and count evidence for answers as programs do that score a submission entry by entry.

Both sides must have the same documents, and all predicted ids must be in the key. A document that
is predicted twice is scored twice. Without annotations on both sides, sentences score 1, links 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from typing import NoReturn

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, agree, shown
from clineval.base.errors import named as show_name
from clineval.base.ratios import Columns
from clineval.base.strict_json import expect_json
from clineval.formats.given.evidence import EvidenceFiles
from clineval.formats.given.forms import Items, open_given
from clineval.kinds.codes.averages import sum_scores
from clineval.kinds.codes.corpus import CodeCorpus, codes_of
from clineval.kinds.codes.evidence import (
    ANSWER,
    ESSENTIAL,
    GRADES,
    LINK,
    NOT_RELEVANT,
    TO,
    Row,
    split_code,
    unite,
)
from clineval.kinds.codes.grades import as_graded, join_graded, keep_grades
from clineval.kinds.documents import align_documents
from clineval.kinds.mentions.columns import Side
from clineval.protocols.code_sets import CodePairing
from clineval.protocols.evidence import (
    IGNORED,
    LENIENT,
    LINKS,
    STRICT,
    Evidence,
    find_usual,
)
from clineval.results.challenge import Setup
from clineval.results.listed import Listed

KEY = "(key)"
"""The grade of a row that marks a case of a key, which lists all ids."""
_KEPT = (*GRADES, LINK, ANSWER)


def stop(what: str, where: str = "") -> NoReturn:
    """Reject input at which the programs stop."""
    raise InputError(
        f"{what}: the released program stops here",
        where=where,
        remedy="protocol='spec' scores it, or reports where it is",
    )


class ProgramFiles(EvidenceFiles):
    """Files as the programs read them: names are compared as written."""

    __slots__ = ()

    @classmethod
    def like(cls, form: EvidenceFiles) -> ProgramFiles:
        """Return the format with the keys of another one."""
        return cls(
            form.fields,
            form.keys,
            form.pattern,
            form.choose,
            form.read_file,
            constants=True,
            name=form.name,
            sentences=form.sentences,
            answers=form.answers,
        )

    def open_document(self, given: object, where: str, *, named: bool = False) -> Listed:
        """Check and return a case; a name that is not a string differs from all strings."""
        if isinstance(given, str):
            given = expect_json(given, "a case in a string of JSON", where, constants=True)
        if isinstance(given, Mapping) and self.name in given:
            name = given[self.name]
            called = name if isinstance(name, str) else f"{json.dumps(name)} (not a string)"
            known = show_name(name) if isinstance(name, str) else None
            place = f", case {known}" if known else ""
            return Listed(f"{where}{place}", called, given)
        return super().open_document(given, where, named=named)


def _read_key(case: Listed, form: EvidenceFiles, scored: Sequence[str]) -> dict[str, str]:
    """Return the grade of each annotation of a case; a list of items is read as under ``spec``."""
    content = case.content
    if not isinstance(content, Mapping):
        return form.read_gold(case, linked=False)
    rows: list[Row] = [(KEY, KEY)]
    try:
        for sentence in content.get(form.sentences, []):
            grade = sentence["relevance"]
            known = isinstance(grade, str) and grade in GRADES
            rows.append((_write(sentence["sentence_id"]), grade if known else NOT_RELEVANT))
        if ESSENTIAL not in scored or form.answers in content:
            for answer in content[form.answers]:
                rows += _read_answer(answer)
    except (AttributeError, KeyError, TypeError):
        stop("a field of the key is missing or has another type", case.where)
    return unite(rows)


def _read_answer(answer: Mapping[str, Iterable[object]]) -> Iterator[Row]:
    start = f"{_write(answer['id'])}{TO}"
    yield start, ANSWER
    yield from ((f"{start}{_write(sentence)}", LINK) for sentence in answer["citations"])


def _write(name: object) -> str:
    """Return an id of the key; an id that is not a string differs from all strings."""
    text = name if isinstance(name, str) else f"{json.dumps(name)} (not a string)"
    if not text or TO in text:
        raise InputError(f"expected ids with characters other than {TO}, got {shown(name)}")
    return text


def _read_prediction(case: Listed, form: EvidenceFiles, scored: Sequence[str]) -> dict[str, str]:
    content = case.content
    items = content.get(form.keys[0]) if isinstance(content, Mapping) else content
    if not isinstance(items, (list, tuple)):
        stop("a prediction is missing, or is not a list", case.where)
    if content is items:  # not from a file: links may be strings
        items = [*map(_open_link, items)]
    return unite(row for item in items for row in _read_item(item, scored, case.where))


def _open_link(item: object) -> object:
    answer, linked, sentence = item.partition(TO) if isinstance(item, str) else ("", "", "")
    return {"answer_id": answer, "evidence_id": [sentence]} if linked else item


def _read_item(item: object, scored: Sequence[str], where: str) -> Iterator[Row]:
    """Yield a sentence, or the links of an answer sentence, as written."""
    if isinstance(item, str) and TO not in item and ESSENTIAL in scored:
        yield item, ESSENTIAL
    elif isinstance(item, Mapping) and LINK in scored:
        answer, sentences = item.get("answer_id"), item.get("evidence_id")
        if not isinstance(sentences, list) or not all(map(_is_id, [answer, *sentences])):
            stop("an answer_id or evidence_id is missing, or has another type", where)
        yield f"{answer}{TO}", ANSWER
        yield from ((f"{answer}{TO}{sentence}", LINK) for sentence in sentences)
    else:
        stop("a prediction is in another form", where)


def _is_id(given: object) -> bool:
    return isinstance(given, str) and given != "" and TO not in given


class EvidenceEntries(Evidence):
    """Evidence that is counted and rejected as released programs do.

    Both sides must have the same documents, and the key must list all predicted ids. A document
    that is predicted twice counts twice. Without annotations on both sides, sentences score 1, and
    links 0.

    Args:
        form: the format of files; names are compared as written.
        scored: see :class:`Evidence`.
        files: see :class:`Evidence`.
        fold: see :class:`Evidence`.
        label: see :class:`Evidence`.
        scores: see :class:`Evidence`.
        counted: not used here.
        phrases: not used here.

    Examples:
        >>> EvidenceEntries().measures.headline[0]
        'strict_micro_f1'
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "form", ProgramFiles.like(self.form))

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read one side as written."""
        read_case = _read_key if side == "references" else _read_prediction
        form = self.form

        def read(listed: Iterable[Listed], *, named: bool = True) -> Side:
            cases = [*listed]
            named = named or any(case.name is not None for case in cases)
            if side == "references" and named:  # the last case with a name counts
                cases = [*{case.name: case for case in cases}.values()]
            rows = [read_case(case, form, self.list_scored(setup)) for case in cases]
            return _as_side([case.name or "" for case in cases], rows, named=named)

        def read_items(items: Items) -> Side:
            places = (f"{side}, document {at}" for at in range(len(items.values)))
            return read(map(form.open_document, items.values, places), named=items.named)

        return open_given(
            given,
            side,
            Side,
            read_files=lambda source: read(form.list_all(source)),
            read_items=read_items,
            read_named=lambda held: read(form.open_member(*of, side) for of in held.items()),
            wanted="a list of sentences or links for each case",
        )

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join both sides; a further entry for a case is a case of its own."""
        names, numbers = _number_entries(gold, predicted)
        _check_ids(gold, predicted)
        aligned = names, np.arange(len(names), dtype=np.int32), numbers
        golds = keep_grades(_repeat(gold, predicted, numbers), _KEPT)
        scored = self.list_scored(setup)
        return join_graded((golds, predicted), aligned, scored, find_usual, IGNORED)

    def complete(
        self, block: CodeCorpus, pairing: CodePairing, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Also say that sentences without any annotation score 1."""
        columns = super().complete(block, pairing, counted, setup)
        ones = np.ones(len(block.documents), np.int64)
        empty = {f"{name}_empty": ones for name in (STRICT, LENIENT) if f"{name}_tp" in counted}
        return {**columns, **empty}

    def sum_scores(self, counted: Columns, name: str, means: str) -> Columns:
        """Return the columns for means over all cases."""
        return sum_scores(counted, name, means, 0.0 if name == LINKS else 1.0)


def label_entries(names: Sequence[str]) -> list[str]:
    """Label entries; only the first one for a case has the name of the case alone.

    Examples:
        >>> label_entries(["7", "8", "7"])
        ['7', '8', '7 (entry 3)']
    """
    seen: set[str] = set()
    labels = []
    for number, name in enumerate(names, 1):
        labels.append(f"{name} (entry {number})" if name and name in seen else name)
        seen.add(name)
    return labels


def _as_side(names: Sequence[str], rows: Sequence[Mapping[str, str]], *, named: bool) -> Side:
    side = as_graded(label_entries(names), rows, by_name=named)
    return replace(side, keys=tuple(names) if named else None)


def _number_entries(gold: Side, predicted: Side) -> tuple[tuple[str, ...], IntArray]:
    """Return the names of all cases, and the case of each entry; further entries come last."""
    if gold.keys is None or predicted.keys is None:
        names, _, numbers = align_documents(gold, predicted)
        return names, numbers
    if {*gold.keys} != {*predicted.keys}:
        stop("the submission has other cases than the key")
    free = {key: number for number, key in enumerate(gold.keys)}
    found = [free.pop(key, None) for key in predicted.keys]
    further = count(len(gold.keys))
    entries = [next(further) if number is None else number for number in found]
    names = tuple(predicted.documents[at] for at in np.argsort(entries).tolist())
    return names, np.array(entries, np.int32)


def _find_cases(gold: Side, predicted: Side) -> IntArray:
    """Return the number of the gold case of each entry."""
    if gold.keys is None or predicted.keys is None:
        return np.arange(len(gold.documents))
    numbers = {key: number for number, key in enumerate(gold.keys)}
    return np.array([numbers[key] for key in predicted.keys], np.int64)


def _repeat(gold: Side, predicted: Side, numbers: IntArray) -> Side:
    """Return the gold standard with a copy of a case for each entry, in the order of cases."""
    mentions, document = gold.mentions, gold.mentions.document
    cases = _find_cases(gold, predicted)[np.argsort(numbers)]
    rows = [np.flatnonzero(document == case) for case in cases]
    sizes = np.array([len(of) for of in rows], np.int64)
    taken = mentions.take(np.concatenate([np.zeros(0, np.int64), *rows]))
    repeated = replace(taken, document=np.repeat(np.arange(len(cases), dtype=np.int32), sizes))
    return replace(gold, mentions=repeated, texts=())


def _check_ids(gold: Side, predicted: Side) -> None:
    """Reject predicted ids that are not in the case of a key."""
    ids: list[set[str]] = [set() for _ in gold.documents]
    for at, code in zip(gold.mentions.document.tolist(), codes_of(gold.mentions), strict=True):
        ids[at].add(code)
    cases = _find_cases(gold, predicted)[predicted.mentions.document].tolist()
    unknown = [
        code
        for at, code in zip(cases, codes_of(predicted.mentions), strict=True)
        if KEY in ids[at] and not ids[at].issuperset(part for part in split_code(code) if part)
    ]
    if unknown:
        stop(agree("{n} predicted {id is|ids are} not in the key", len(unknown)))
