"""BioCreative V CDR by the rules of the evaluation kit's program, ``bc5cdr_eval.jar``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from xml.etree import ElementTree as ET

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, called
from clineval.base.files import Source
from clineval.base.offsets import are_offsets, read_whole
from clineval.formats.bioc import infons_of, locate, parse
from clineval.formats.files import read_text_files
from clineval.formats.given.item_sets import is_bioc
from clineval.formats.pubtator.items import BIOC, NUMBER, PUBTATOR, TEXT, Draft
from clineval.formats.pubtator.scheme import MESH, Item
from clineval.kinds.codes.hierarchy import Fold
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.rows import list_units
from clineval.protocols.item_sets import ItemSets, pair_equal
from clineval.results.columns import MentionColumns
from clineval.results.match import NONE, VERDICTS, Match

_TEXT_ANYWHERE = re.compile(r"\|[taTA]\|")
_TRIMMED = "".join(map(chr, range(33)))
_NULL, _RELATION = "null", "CID"


class Official(ItemSets):
    """The evaluation kit's program: it reads more, and compares concepts as written."""

    @property
    def fold_concept(self) -> Fold:
        """The function that adds the name space to a concept."""
        return concept_of_program

    def read_files(self, given: Source, _side: str, /) -> Draft:
        """Read as the program does: it accepts all types, but unknown types do not count."""
        read = read_bioc(given) if is_bioc(given) else read_pubtator(given)
        types, known = (*self.scheme.labels, self.scheme.relation), Draft()
        for name, items in read.items.items():
            known.add(name, (item for item in items if item[1] in types))
        return known

    def as_columns(
        self, side: Side, numbers: IntArray, documents: Sequence[str], config: str
    ) -> MentionColumns:
        """Return the scored items; reject a mention with several locations."""
        columns = super().as_columns(side, numbers, documents, config)
        several = np.flatnonzero(columns.fragment_counts > 1)
        if len(several):
            raise InputError(
                "the released program stops at a mention with several locations",
                where=f"document {called(documents[columns.document[several[0]]])}",
            )
        return columns

    def match(self, part: Corpus) -> Match:
        """Pair equal items; predictions in documents without any gold item do not count."""
        rows = np.arange(len(part.gold)), np.arange(len(part.prediction))
        match = list_units(pair_equal(part), *rows)
        visited = part.gold.columns.sizes(len(part.documents)) > 0
        ignored = np.append(~visited, [False])[np.append(part.prediction.columns.document, NONE)]
        match.verdict[ignored[match.prediction]] = VERDICTS.index("displaced")
        return match


def read_pubtator(source: Source) -> Draft:
    """Read as the released program does; reject a line at which it stops."""
    draft = Draft()
    for file in read_text_files(source, pattern=PUBTATOR, separator="\t", as_written=True):
        for number, whole in enumerate(re.split(r"\r\n|\r|\n", file.content.decode()), 1):
            line = whole.strip(_TRIMMED)
            if text := _TEXT_ANYWHERE.search(line):
                if TEXT.match(line):
                    draft.document(line[: text.start()])
            elif line:
                try:
                    name, items = _parse_as_program(line.split("\t"))
                except (IndexError, OverflowError):
                    raise InputError(
                        "the released program stops at this line", where=f"{file.label}:{number}"
                    ) from None
                draft.add(name, items)
    return draft


def _parse_as_program(cells: Sequence[str]) -> tuple[str, list[Item]]:
    name, second = cells[0], cells[1]
    if not (NUMBER.match(second) and NUMBER.match(cells[2])):
        if len(cells) < 4 and second != _RELATION:  # noqa: PLR2004 - never scored
            return name, []
        ends = "\t".join(concept_of_program(cell) or _NULL for cell in (cells[2], cells[3]))
        return name, [("relations", second, ends, ())]
    start, end = read_whole(second), read_whole(cells[2])
    if not are_offsets(start, end):
        raise OverflowError
    label, ids = cells[4], cells[5] if len(cells) > 5 else ""  # noqa: PLR2004
    concepts = filter(None, map(concept_of_program, ids.strip(_TRIMMED).split("|")))
    found: list[Item] = [("concepts", label, concept, ()) for concept in concepts]
    return name, [("mentions", label, "", ((start, end),)), *found]


def concept_of_program(concept: str) -> str:
    """Return a concept as the program compares it; return "" if it is not a concept.

    Examples:
        >>> concept_of_program("D1"), concept_of_program("MESH:-1"), concept_of_program("-1")
        ('MESH:D1', 'MESH:-1', '')
    """
    if concept in ("", "-1"):
        return ""
    return concept if ":" in concept else f"{MESH}:{concept}"


def read_bioc(source: Source) -> Draft:
    """Read as the released program does; it stops later at a mention with several locations."""
    draft = Draft()
    for file in read_text_files(source, pattern=BIOC, separator="<"):
        for document in parse(file).iter("document"):
            name = document.findtext("id") or ""
            draft.document(name)
            for annotation in document.findall("passage/annotation"):
                draft.add(name, _items_of_mention(annotation))
            for relation in (*document.findall("relation"), *document.findall("annotation")):
                draft.add(name, _items_of_relation(infons_of(relation)))
    return draft


def _items_of_mention(annotation: ET.Element) -> Iterator[Item]:
    infons, fragments = infons_of(annotation), locate(annotation)
    if not fragments or "type" not in infons:
        return
    if infons.get("CompositeRole", "CompositeMention") == "CompositeMention":
        yield "mentions", infons["type"], "", fragments
    for concept in infons.get("MESH", infons.get("OMIM", "")).strip().split("|"):
        if known := concept_of_program(concept):
            yield "concepts", infons["type"], known, ()


def _items_of_relation(infons: dict[str, str]) -> Iterator[Item]:
    if "relation" in infons:
        ends = (concept_of_program(infons.get(name, "")) for name in ("Chemical", "Disease"))
        yield "relations", infons["relation"], "\t".join(end or _NULL for end in ends), ()
