"""Score Clinical TempEval as anafora.evaluate does, for the rows of the tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os.path import join as join_path

import numpy as np

from clineval.base.arrays import IntArray, find_first
from clineval.base.errors import InputError, called, located, warn
from clineval.base.files import Source, find_path
from clineval.challenges.clinical_tempeval.anafora import (
    ENTITY,
    RELATION,
    Folder,
    list_documents,
    parse,
)
from clineval.challenges.clinical_tempeval.anafora_documents import TYPE, name_relation
from clineval.challenges.clinical_tempeval.files import (
    CONTAINS,
    TLINK,
    as_related,
    as_written,
)
from clineval.challenges.clinical_tempeval.measures import (
    OFFICIAL,
    PROPERTIES,
    ROWS,
    TASK,
)
from clineval.challenges.clinical_tempeval.points import find_following
from clineval.challenges.clinical_tempeval.rows import Content, Row, Selection, Unit, find_links
from clineval.challenges.clinical_tempeval.spec import (
    ALL_SLOTS,
    LINKED,
    ByRows,
    arrange,
    pair_for_page,
    read_documents,
    select,
)
from clineval.formats.files import open_strings
from clineval.formats.given.forms import Items
from clineval.kinds.documents import Whole, check_as_many
from clineval.kinds.mentions.corpus import Mentions
from clineval.kinds.relations.columns import RelatedCorpus, RelatedSide, RelationColumns
from clineval.kinds.relations.joining import find_firsts, trace_related
from clineval.protocols.mentions_and_links import Pairing, explain_closure
from clineval.protocols.relations import ALL_GOLD, ALL_PREDICTED, AS_WRITTEN
from clineval.results.challenge import Setup
from clineval.results.match import NONE, VERDICTS, Match
from clineval.results.measures import Measures

Report = Callable[[str], object]
"""Takes a warning of the program."""
Places = Mapping[str, int]
"""Id of an annotation of a document to its row among the mentions, or among the links."""
EMPTY = Content({})
_CONTAINERS: Row = (TLINK, TYPE, CONTAINS)
_OTHERS = tuple(
    f"{label}:{name}"
    for label, names in PROPERTIES.items()
    for name in names
    if name not in TASK[label]
)
_EVERY, _OF_TASK = Selection(), Selection(exclude=_OTHERS)
_TP, _FP, _FN = map(VERDICTS.index, ("tp", "fp", "fn"))


@dataclass(frozen=True, slots=True, eq=False)
class ProgramSide(RelatedSide):
    """One side, with the annotations of each document.

    Args:
        contents: the annotations.
    """

    contents: tuple[Content, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ProgramCorpus(Whole, RelatedCorpus):
    """The documents of the gold standard.

    Args:
        contents: the gold and the predicted annotations of each document.
        places: the rows of gold and of predicted annotations of each document.
    """

    contents: Sequence[tuple[Content, Content]]
    places: tuple[Sequence[Places], Sequence[Places]]

    def match(self, rows: Sequence[tuple[int, int, int]]) -> Match:
        """Build a match from rows, pairs first."""
        pairs = [row for row in rows if NONE not in row[:2]]
        alone = [row for row in rows if NONE in row[:2]]
        gold, prediction, verdict = np.array([*pairs, *alone], np.int64).reshape(-1, 3).T
        return Match(gold, prediction, verdict.astype(np.int8), VERDICTS)

    def list_units(
        self, row: Row, selection: Selection
    ) -> Iterator[tuple[dict[Unit, int], dict[Unit, int]]]:
        """Yield the distinct gold and predicted units of each document, with their places."""
        for number, contents in enumerate(self.contents):
            gold, found = (
                self._find_units(content, row, selection, places[number], number)
                for content, places in zip(contents, self.places, strict=True)
            )
            yield gold, found

    def _find_units(
        self, content: Content, row: Row, selection: Selection, places: Places, number: int
    ) -> dict[Unit, int]:
        units: dict[Unit, int] = {}
        for annotation, unit in content.list_units(row, selection):
            if annotation.id not in places:
                kind = RELATION if annotation.kind == ENTITY else ENTITY
                raise InputError(
                    f"expected {annotation.type} as {kind}, got {annotation.kind}",
                    where=f"document {called(self.documents[number])}",
                )
            units.setdefault(unit, places[annotation.id])
        return units


class Official(ByRows[ProgramSide, ProgramCorpus]):
    """The rows of the program; documents of the gold standard only."""

    known = ProgramSide

    @property
    def measures(self) -> Measures:
        """The scores, which are 1 if a denominator is 0."""
        return OFFICIAL

    def read_files(self, source: Source, side: str, setup: Setup) -> ProgramSide:
        """Read Anafora's folders as the program does, or the XML of one document."""
        path = find_path(source, "<")
        if path is None:
            return self.read_texts([str(source)], side)
        folders = list_documents(path, setup["xml_names"])
        reports: list[str] = []
        read_folder = read_gold if side == "references" else read_predicted
        read = [read_folder(folder, str(path), reports.append) for folder in folders]
        warn(
            "{n} {file|files} {is|are} not read, as in the program: several files of a document, "
            "or annotations that refer to themselves",
            n=len(reports),
        )
        pairs = zip(folders, read, strict=True)
        found = [(folder.below or folder.name, content) for folder, content in pairs if content]
        return _as_side([name for name, _ in found], [content for _, content in found], side)

    def read_texts(self, texts: Sequence[str], side: str) -> ProgramSide:
        """Read the XML of each document."""
        return _as_side(None, [Content(parse(file)) for file in open_strings(texts)], side)

    def read_items(self, items: Items) -> ProgramSide:
        """Read documents of mentions and relations, as if they were files."""
        read = read_documents(items)
        contents = (Content(of.annotations) for of in as_written(read))
        return ProgramSide(read.side, read.relations, tuple(contents))

    def join(self, gold: ProgramSide, predicted: ProgramSide, setup: Setup, /) -> ProgramCorpus:
        """Join both sides, without documents that the gold standard lacks."""
        numbers = _align(gold, predicted)
        contents = [
            (content, EMPTY if number is None else predicted.contents[number])
            for content, number in zip(gold.contents, numbers, strict=True)
        ]
        names = predicted.side.keys if gold.side.keys is None else gold.side.keys
        related = [
            as_related(names, [pair[at] for pair in contents], side)
            for at, side in enumerate(("references", "predictions"))
        ]
        related[0] = related[0].with_notes(gold.side.texts)
        golds, found = (select(side, setup.config) for side in related)
        joined, traced = trace_related(golds[0], found[0], ALL_SLOTS)
        corpus = arrange(joined)
        places = []
        for at, (_, rows) in enumerate((golds, found)):
            own = [pair[at] for pair in contents]
            now = np.append(traced[at], NONE)[rows]
            places.append([*_find_places(related[at], own, now, corpus.sides[at])])
        sides = corpus.gold, corpus.prediction
        return ProgramCorpus(corpus.mentions, *sides, contents, (places[0], places[1]))

    def pair(self, block: ProgramCorpus, setup: Setup, /) -> Pairing:
        """Compare the units of each row, and the links with what follows from the other side."""
        found: dict[str, Match] = {}
        if setup.config != "links":
            for row in ROWS:
                found[row.name] = _compare(block, row.row)
        if setup.config != "entities":
            found[AS_WRITTEN] = _compare(block, _CONTAINERS)
            found |= _judge_links(block)
        page = pair_for_page(block.mentions) if setup.config != "links" else {}
        return {**found, **page}

    def explain_links(
        self, corpus: ProgramCorpus, matches: Mapping[str, Match], setup: Setup
    ) -> Match:
        """Explain links by their pairs alone: the program's closure has no paths."""
        return explain_closure(LINKED, corpus, {AS_WRITTEN: matches[AS_WRITTEN]}, setup)


def read_gold(folder: Folder, root: str, report: Report) -> Content | None:
    """Read the gold annotations in a folder; None if the program leaves the document out.

    Args:
        folder: the folder, with the files that fit.
        root: the path of the folder above, as in the program's warnings.
        report: takes the warnings.
    """
    first, *others = folder.files
    if others:
        report(f"expected one reference file for {folder.name}, found {[*folder.files]}")
    content = Content(parse(folder.open(first)))
    if loop := content.find_loop():
        path = _name(root, folder, first)
        report(f"skipping reference file {path} with self-referential annotation {loop.id}")
    return None if loop else content


def read_predicted(folder: Folder, root: str, report: Report) -> Content:
    """Read the predicted annotations in a folder; the name of the file begins with the folder's."""
    files = [
        name for name in folder.files if name.startswith(folder.name) and name.endswith(".xml")
    ]
    paths = [_name(root, folder, name) for name in files]
    if len(files) != 1:
        wanted = _name(root, folder, folder.name)
        report(f"expected one predicted file at {wanted}*.xml, found {paths}")
    if not files:
        return EMPTY
    content = Content(parse(folder.open(files[0])))
    if loop := content.find_loop():
        report(f"skipping predicted file {paths[0]} with self-referential annotation {loop.id}")
    return EMPTY if loop else content


def _name(root: str, folder: Folder, file: str) -> str:
    """Return the path of a file as the program prints it."""
    return join_path(root, folder.below, file)  # noqa: PTH118 - Path would change the root


def _as_side(names: Sequence[str] | None, contents: Sequence[Content], side: str) -> ProgramSide:
    related = as_related(names, contents, side)
    return ProgramSide(related.side, related.relations, tuple(contents))


def _align(gold: ProgramSide, predicted: ProgramSide) -> list[int | None]:
    """Return the number of each gold document's predictions; None for none."""
    keys = gold.side.keys, predicted.side.keys
    if keys[0] is None or keys[1] is None:
        check_as_many(len(predicted.contents), len(gold.contents))
        return [*range(len(gold.contents))]
    known = {key: number for number, key in enumerate(keys[1])}
    others = [key for key in keys[1] if key not in {*keys[0]}]
    warn(
        "{n} predicted {document is|documents are} not in the gold standard and {does|do} not "
        "count: {names}",
        others,
    )
    return [known.get(key) for key in keys[0]]


def _find_places(
    related: RelatedSide,
    contents: Sequence[Content],
    rows: IntArray,
    joined: tuple[Mentions, RelationColumns],
) -> Iterator[Places]:
    """Yield the places of the annotations of each document.

    Args:
        related: the side, before documents were joined.
        contents: the annotations of each document.
        rows: ``[n]``, the row of each of its mentions in the corpus; -1 if it is not scored.
        joined: the mentions and links in the corpus.
    """
    mentions, links = joined
    size, ends = len(mentions), np.append(find_firsts(mentions), NONE)[rows]
    known = {key: row for row, key in enumerate((links.source * size + links.target).tolist())}
    own = related.relations
    of_links = (ends[own.source] * size + ends[own.target]).tolist()
    labels = (name_relation(link, TLINK) for content in contents for link in content.links)
    placed = iter(
        [
            known.get(key, NONE) if label == CONTAINS else NONE
            for key, label in zip(of_links, labels, strict=True)
        ]
    )
    numbers = find_first(related.side.mentions.document, np.arange(len(contents)))
    for first, content in zip(numbers.tolist(), contents, strict=True):
        places = {entity.id: int(rows[first + at]) for at, entity in enumerate(content.entities)}
        yield places | {link.id: next(placed) for link in content.links}


def _compare(corpus: ProgramCorpus, row: Row) -> Match:
    """List the distinct units of a row: those of both sides, and those of one side."""
    found: list[tuple[int, int, int]] = []
    for gold, predicted in corpus.list_units(row, _OF_TASK if len(row) == 1 else _EVERY):
        found += (
            (place, predicted[unit], _TP) for unit, place in gold.items() if unit in predicted
        )
        found += ((NONE, place, _FP) for unit, place in predicted.items() if unit not in gold)
        found += ((place, NONE, _FN) for unit, place in gold.items() if unit not in predicted)
    return corpus.match(found)


def _judge_links(corpus: ProgramCorpus) -> dict[str, Match]:
    """List the links of each side, which are right if they follow from those of the other side."""
    gold_rows: list[tuple[int, int, int]] = []
    predicted_rows: list[tuple[int, int, int]] = []
    for number, units in enumerate(corpus.list_units(_CONTAINERS, _EVERY)):
        where = f"document {called(corpus.documents[number])}"
        gold, found = (located(where, find_links, of)[0] for of in units)
        right, other = find_following(gold, found), find_following(found, gold)
        places = [[*of.values()] for of in units]
        gold_rows += (
            (place, NONE, _TP if follows else _FN)
            for place, follows in zip(places[0], right, strict=True)
        )
        predicted_rows += (
            (NONE, place, _TP if follows else _FP)
            for place, follows in zip(places[1], other, strict=True)
        )
    return {ALL_GOLD: corpus.match(gold_rows), ALL_PREDICTED: corpus.match(predicted_rows)}
