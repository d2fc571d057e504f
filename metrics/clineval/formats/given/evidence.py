"""Read evidence for answers, from files or Python, as one side of a corpus."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count

from clineval.base.errors import InputError, agree, read_each, warn
from clineval.base.files import Source
from clineval.base.strict_json import expect_json
from clineval.formats.files import check_new_id, read_text_files
from clineval.formats.given.forms import Items, judge_ids, open_given
from clineval.formats.object_files import ObjectFiles
from clineval.kinds.codes.evidence import (
    ESSENTIAL,
    LINK,
    TO,
    Problem,
    list_items,
    read_item,
    unite,
)
from clineval.kinds.codes.grades import as_graded
from clineval.kinds.mentions.columns import Side
from clineval.results.listed import Listed


@dataclass(frozen=True, slots=True)
class EvidenceFiles(ObjectFiles):
    """Files of evidence: gold standards with all sentences, and predictions.

    Args:
        fields: not used.
        keys: the keys of the list of predictions; the first one is written.
        pattern: the pattern of file names in directories.
        choose: takes the object of a file and its place, and returns the documents in it.
        read_file: lists the documents of a file in another way; None for this format.
        constants: whether to accept NaN and infinity.
        name: the key of the document's name; ``id`` is read too.
        sentences: the key of the graded sentences of a document.
        answers: the key of the sentences of an answer, with citations.

    Examples:
        >>> form = EvidenceFiles(name="case_id")
        >>> [found] = form.list_all('[{"case_id": "1", "prediction": ["5"]}]')
        >>> list(form.open_items(found))
        ['5']
    """

    keys: tuple[str, ...] = ("prediction",)
    sentences: str = "sentences"
    answers: str = "answers"

    @property
    def lists(self) -> tuple[str, ...]:
        """The keys of the lists of items."""
        return (self.sentences, self.answers, *self.keys)

    def list_all(self, source: Source) -> list[Listed]:
        """List the documents of files, also those that occur twice.

        Args:
            source: a path, or text.
        """
        files = read_text_files(source, pattern=self.pattern, separator="{")
        return [document for file in files for document in self.list_file(file)]

    def open_items(self, document: Listed) -> Sequence[object]:
        """List the items of a document.

        Args:
            document: the document.

        Raises:
            InputError: it is a string that is not JSON.
        """
        content = document.content
        if isinstance(content, str):
            wanted = "a list in a string of JSON"
            content = expect_json(content, wanted, document.where, constants=self.constants)
        return list_items(content, self.lists)

    def read_gold(self, document: Listed, linked: bool) -> dict[str, str]:  # noqa: FBT001
        """Return the grade of each annotation of a document of the gold standard.

        Args:
            document: the document.
            linked: whether a document with sentences must have an answer.

        Raises:
            InputError: an item is invalid, a citation names no sentence, or an answer is missing.
        """
        rows = []
        for number, item in enumerate(self.open_items(document), 1):
            for row in read_item(item):
                if isinstance(row, Problem):
                    raise InputError(row.text, where=f"{document.where}, item {number}")
                rows.append(row)
        grades = unite(rows)
        self._check_answer(document, grades, linked=linked)
        return grades

    def _check_answer(self, document: Listed, grades: Mapping[str, str], *, linked: bool) -> None:
        held = document.content if isinstance(document.content, Mapping) else {}
        if linked and self.sentences in held and self.answers not in held:
            problem = f"expected '{self.answers}', to which links belong"
            raise InputError(problem, where=document.where, remedy="Add it, or score sentences")
        links = [code.partition(TO)[2] for code, grade in grades.items() if grade == LINK]
        unknown = sum(sentence not in grades for sentence in links)
        if unknown and self.sentences in held:
            problem = f"{{n}} {{citation is|citations are}} not among the '{self.sentences}'"
            remedy = "Correct the ids, or remove them"
            raise InputError(agree(problem, unknown), where=document.where, remedy=remedy)


def read_evidence(given: object, side: str, form: EvidenceFiles, scored: Sequence[str]) -> Side:
    """Read one side.

    Invalid items of predictions become annotations that no gold standard has, with a warning.

    Args:
        given: a path, text, a list with an item for each document, or a mapping of names to items.
        side: ``predictions`` or ``references``.
        form: the format of files.
        scored: the grades that are scored. If these are links alone, each document of the gold
            standard with sentences must have an answer.

    Raises:
        InputError: the gold standard is invalid, or a document has no name although others do.
    """
    gold, linked = side == "references", ESSENTIAL not in scored
    # predictions are scored even if they hold NaN
    opened = form if gold else replace(form, constants=True)

    def read(listed: Iterable[Listed], *, named: bool = True) -> Side:
        documents = list(listed)
        if not gold:
            return _read_predictions(documents, opened, scored, named=named)
        places: dict[str, str] = {}
        for each in documents if named else ():
            check_new_id(places, each.name or "", each.where)
        names = judge_ids([each.name for each in documents], side)
        rows = read_each(form.read_gold, ((each, linked) for each in documents))
        return _as_side(documents, rows, named=named or bool(names))

    def read_items(items: Items) -> Side:
        places = (f"{side}, document {at}" for at in range(len(items.values)))
        return read(map(opened.open_document, items.values, places), named=items.named)

    return open_given(
        given,
        side,
        Side,
        read_files=lambda source: read(opened.list_all(source)),
        read_items=read_items,
        read_named=lambda held: read(opened.open_member(*each, side) for each in held.items()),
        wanted="a list of sentences or links for each document",
    )


def _as_side(
    documents: Sequence[Listed], rows: Sequence[Mapping[str, str]], *, named: bool
) -> Side:
    side = as_graded([each.name or "" for each in documents], rows, by_name=named)
    return replace(side, texts=tuple(each.open_text() for each in documents))


def _read_predictions(
    documents: Sequence[Listed], form: EvidenceFiles, scored: Sequence[str], *, named: bool
) -> Side:
    """Read predictions; those for the same document are united."""
    named = named or all(each.name for each in documents)
    merged: dict[object, list[object]] = {}
    first: dict[object, Listed] = {}
    for number, document in enumerate(documents):
        key = document.name if named else number
        merged.setdefault(key, []).extend(form.open_items(document))
        first.setdefault(key, document)
    problem = "{n} {document is|documents are} predicted more than once"
    warn(f"{problem}; the predictions are united", n=len(documents) - len(merged))
    found = [[row for item in items for row in read_item(item)] for items in merged.values()]
    # invalid items belong to what the system otherwise predicts
    known = {row[1] for each in found for row in each if not isinstance(row, Problem)}
    predicted = [grade for grade in scored if grade in known] or scored
    numbers = count()
    rows = [
        unite(
            row.as_row(next(numbers), predicted) if isinstance(row, Problem) else row
            for row in each
        )
        for each in found
    ]
    problem = "{n} predicted {item is|items are} neither a sentence nor a link"
    warn(f"{problem}, and {{counts|count}} as wrong", n=next(numbers))
    return _as_side([*first.values()], rows, named=named)
