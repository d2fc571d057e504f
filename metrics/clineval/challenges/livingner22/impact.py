"""Clinical impact: whether a case has pets, injuries, food or infections, and their species.

An answer *yes* is a code of its document: the kind of impact, a colon, and the species, such as
``Pet:9615+9685``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial

import numpy as np

from clineval.base.errors import InputError, shown, warn
from clineval.base.files import Source
from clineval.challenges.livingner22.answers import (
    HIGHER,
    AnswerHierarchy,
    impact_of,
    list_codes,
    species_of,
)
from clineval.formats.code_lists import VALID_CODES, CodeList, describe
from clineval.formats.delimited.span_tables import (
    FILES,
    Cells,
    document_key,
    read_name,
    read_rows,
    split_codes,
)
from clineval.formats.files import TextFile, read_text_files
from clineval.formats.given.code_lists import Judge, read_codes, take
from clineval.kinds.codes.corpus import CodeCorpus, as_side, codes_of, is_code, join_codes
from clineval.kinds.codes.prefixes import AnyHierarchy
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows, Split, columns_of
from clineval.programs.pandas_cells import stop
from clineval.programs.table_joins import AS_STRINGS, are_valid
from clineval.protocols.code_sets import CodeMeasure, CodePairing, CodeSets
from clineval.results.challenge import Setup
from clineval.results.formulas import Prf
from clineval.results.settings import declare_settings

IMPACTS = {"Pet": "pet", "AnimalInjury": "injury", "Food": "food", "Nosocomial": "nosocomial"}
"""The prefix of scores for each kind of impact."""
HEADER = ("filename", *(name for of in IMPACTS for name in (f"is{of}", f"{of}IDs")))
LABEL, NONE = "label", "NA"
SPECIES = CodeMeasure(title="Clinical impact", heading="all, species")
ANSWERS = (
    SPECIES,
    Prf("yes", "Clinical impact", heading="all", short="yes"),
    *(Prf(name, "Clinical impact", main=False) for name in IMPACTS.values()),
    *(Prf(f"{name}_species", "Clinical impact", main=False) for name in IMPACTS.values()),
)


def format_species(code: str) -> str:
    """Return an answer as the program compares it: ``+`` and ``|`` differ.

    Examples:
        >>> format_species("Pet:34|12+7+7")
        'Pet:12|34+7'
    """
    impact, colon, species = code.partition(":")
    parts = {"|".join(sorted(set(part.strip().split("|")))) for part in species.split("+")}
    return impact + colon + "+".join(sorted(parts))


def list_species(valid: Iterable[str] | None) -> CodeList | None:
    """Return the list of valid species."""
    known = None if valid is None else frozenset(map(str.strip, valid))
    return None if known is None else CodeList(known, list_codes, HIGHER)


class Impact(CodeSets):
    """Answers to four questions about each document: yes, and the species."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read files, lists of answers, or mappings of documents to lists of answers."""
        found = super().read_side(given, side, setup)
        answers = map(impact_of, codes_of(found.mentions))
        pairs = list(zip(found.mentions.document.tolist(), answers, strict=True))
        if not IMPACTS.keys() >= {impact for _, impact in pairs}:
            problem = f"expected answers that begin with one of {', '.join(IMPACTS)}"
            raise InputError(problem, where=side)
        if len(pairs) != len(set(pairs)):
            raise InputError("a document has two answers to a question", where=side)
        return found

    def list_codes(self, setup: Setup) -> CodeList | None:
        """Return the list of valid species."""
        return list_species(setup["codes"])

    own_settings = declare_settings(
        VALID_CODES,
        *CodeSets.own_settings,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the list of valid codes and the hierarchy, on which the scores depend."""
        return {"codes": describe(setup["codes"]), **super().settings(setup)}

    def find_hierarchy(self, setup: Setup) -> AnyHierarchy | None:
        """Return the hierarchy of answers, if there is one of species."""
        found = super().find_hierarchy(setup)
        return found and AnswerHierarchy(found)

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> CodeCorpus:
        """Join both sides."""
        return join_codes(gold, predicted, self.fold).labelled(LABEL, impact_of)

    def pair(self, block: CodeCorpus, setup: Setup, /) -> CodePairing:
        """Pair equal answers (``micro``), and answers to the same question (``yes``)."""
        golds, found = (
            side.document.astype(np.int64) * (len(IMPACTS) + 1) + side.attributes[LABEL].ids
            for side in (block.gold, block.prediction)
        )
        _, gold, prediction = np.intersect1d(golds, found, assume_unique=True, return_indices=True)
        order = np.argsort(gold)
        return {**super().pair(block, setup), "yes": Pairs(gold[order], prediction[order])}

    def list_matches(
        self, block: CodeCorpus, pairing: CodePairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the verdict on every answer, in all and for each question."""
        matches = dict(super().list_matches(block, pairing, setup))
        matches["yes"] = block.rows_of(pairing["yes"], columns_of("yes"))
        labels = [side.attributes[LABEL] for side in (block.gold, block.prediction)]
        for impact, name in IMPACTS.items():
            for match, key in (("yes", name), ("micro", f"{name}_species")):
                rows = block.rows_of(pairing[match], {})
                matches[key] = replace(rows, split=Split.by(labels, {impact: key}))
        return matches


class OfficialImpact(Impact):
    """The rules of the released program."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read files as the program does, which drops whole rows."""
        read = partial(read_first, valid=_valid(setup["codes"]))
        found = super().read_side(read_codes(given, side, read, places=False), side, setup)
        known, codes = _valid(setup["codes"]), codes_of(found.mentions)
        of = found.mentions.document.tolist()
        lost = {at for at, code in zip(of, codes, strict=True) if not _is_known(code, known)}
        kept = [row for row, at in enumerate(of) if at not in lost]
        return replace(found, mentions=found.mentions.take(np.array(kept, np.int64)))

    def list_codes(self, _setup: Setup) -> None:
        """Return None: documents with unknown species are dropped instead."""


def _valid(codes: Collection[str] | None) -> frozenset[str] | None:
    return None if codes is None else frozenset((*map(str.strip, codes), NONE))


def _is_known(code: str, valid: Collection[str] | None) -> bool:
    species = species_of(format_species(code)).replace("+", "|")
    return valid is None or ":" not in code or are_valid(species, valid)


def read_first(source: Source, valid: Collection[str] | None) -> Side:
    """Read the first row of each document as the program does, if all its species are valid."""
    frame = AS_STRINGS.read(read_text_files(source, pattern=FILES, separator="\t", as_written=True))
    if tuple(frame.columns) != HEADER:
        raise stop(f"expected the header {', '.join(HEADER)}")
    rows: dict[str, tuple[str, ...]] = {}
    for cells in zip(*(map(str, frame.columns[name]) for name in HEADER), strict=True):
        rows.setdefault(cells[0], cells[1:])
    known = {
        name: cells
        for name, cells in rows.items()
        if all(_is_known(f":{species}", valid) for species in cells[1::2])
    }
    warn("{n} {row|rows} of repeated documents or of unknown codes {is|are} dropped",
         n=len(frame) - len(known))  # fmt: skip
    answers = [
        (at, impact if species == NONE else f"{impact}:{species}", ())
        for at, cells in enumerate(known.values())
        for impact, yes, species in zip(IMPACTS, cells[::2], cells[1::2], strict=True)
        if yes == "Yes"
    ]
    return as_side([*known], answers)


def read_answers(file: TextFile, judge: Judge = take) -> list[tuple[str, list[str]]]:
    """Read the document and the answers of each row; raise all errors at once."""
    seen: set[str] = set()

    def read(cells: Cells, where: str) -> tuple[str, list[str]]:
        name = document_key(read_name(cells, where))
        if name in seen:
            raise InputError("an earlier row has the same document", where=where)
        seen.add(name)
        answers = [answer for impact in IMPACTS for answer in _answer(cells, impact, where)]
        if wrong := next(filter(None, map(judge, answers)), ""):
            raise InputError(wrong, where=where)
        return name, answers

    return read_rows(file, HEADER, read)


def _answer(cells: Cells, impact: str, where: str) -> Iterator[str]:
    yes, species = cells[f"is{impact}"], cells[f"{impact}IDs"]
    codes = [] if species == NONE else split_codes(species, "+|", "H")
    if yes not in ("Yes", "No"):
        raise InputError(f"is{impact}: expected Yes or No, got {shown(yes)}", where=where)
    if not (codes or species == NONE) or not all(map(is_code, codes)):
        raise InputError(f"{impact}IDs: expected codes without blanks, or NA", where=where)
    if codes and yes == "No":
        raise InputError(f"{impact}IDs: expected NA after No", where=where)
    if yes == "Yes":
        yield f"{impact}:{'+'.join(codes)}" if codes else impact


def read_table(source: Source, judge: Judge = take) -> Side:
    """Read the answers of documents, one row for each document."""
    files = read_text_files(source, pattern=FILES, separator="\t")
    rows = [row for file in files for row in read_answers(file, judge)]
    answers = [(at, code, ()) for at, (_, codes) in enumerate(rows) for code in codes]
    return as_side([name for name, _ in rows], answers)
