"""Ranked codes of documents: by the definition, and as the two released scripts read them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial

from clineval.base.arrays import BoolArray, IntArray
from clineval.formats.code_lists import VALID_CODES, CodeList
from clineval.formats.delimited.code_tables import LISTS, Table, read_side
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.codes.corpus import CodeCorpus
from clineval.kinds.codes.prefixes import AnyHierarchy, WithOthers
from clineval.kinds.mentions.columns import Side
from clineval.programs.code_scripts import AsPandas, check_valid
from clineval.protocols.code_sets import CodeMeasure, fold_code
from clineval.protocols.ranked_codes import (
    MeanPrecisions,
    RankedCodes,
    keep_codes,
    name_valid,
    only_valid,
)
from clineval.results.challenge import Setup
from clineval.results.settings import declare_settings

CONFIGS = ("coding", "codingf1")
UNSPECIFIC = "8000/6"
HEADED = Table(LISTS.columns, headed=True)
MAP, MICRO = MeanPrecisions(), CodeMeasure(title="Codes", heading="micro")


def list_codes(valid: Iterable[str] | None, config: str = "coding") -> CodeList | None:
    """Return the list of valid codes, without case and without codes that do not count."""
    if valid is None:
        return None
    free = {UNSPECIFIC} if config == "codingf1" else ()
    return CodeList(frozenset(map(fold_code, valid)).union(free), lambda code: [fold_code(code)])


class Coding(RankedCodes):
    """The task's definition: codes that are not in the list keep their ranks and are wrong."""

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join both sides; ``codingf1`` leaves out the code of unspecific metastases."""
        corpus = super().join(gold, predicted, setup)
        if setup.config == "codingf1":
            sides = corpus.gold, corpus.prediction
            golds, found = (keep_codes(side, UNSPECIFIC.__ne__) for side in sides)
            corpus = replace(corpus, gold=golds, prediction=found)
        return corpus

    def list_codes(self, setup: Setup) -> CodeList | None:
        """Return the list of valid codes, without case."""
        return list_codes(setup["codes"], setup.config)

    own_settings = declare_settings(
        VALID_CODES,
        *RankedCodes.own_settings,
    )

    def find_hierarchy(self, setup: Setup) -> AnyHierarchy | None:
        """Return the hierarchy; ``codingf1`` needs no place for the code that it leaves out."""
        found = super().find_hierarchy(setup)
        return found and (
            WithOthers(found, frozenset([UNSPECIFIC])) if setup.config == "codingf1" else found
        )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the valid codes and the values of k, on which the scores depend."""
        return {"codes": name_valid(setup["codes"]), **super().settings(setup)}


class OfficialCoding(Coding):
    """The two released scripts: one computes MAP, the other F1."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read one side; files are read as pandas does. For MAP the first gold row is a header."""
        ranked, gold = setup.config != "codingf1", side == "references"
        reader = AsPandas(LISTS, ranked, ranked and not gold, headed=ranked and gold)
        valid = None if gold or setup["codes"] is None else check_valid(setup["codes"])
        return read_codes(given, side, partial(reader.read, valid=valid), places=False)

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> CodeCorpus:
        """Join both sides; invalid predicted codes are dropped before ranking."""
        corpus, valid = super().join(gold, predicted, setup), setup["codes"]
        return corpus if valid is None else only_valid(corpus, set(map(self.fold, valid)))

    def averaged(self, corpus: CodeCorpus, golds: IntArray) -> BoolArray:
        """Return which documents count for MAP, ``[documents]``: codes on both sides."""
        return (golds > 0) & (corpus.prediction.sizes(len(corpus.documents)) > 0)


SPEC = Coding(partial(read_side, table=HEADED), fold_code, "label", (MAP, MICRO))
OFFICIAL = OfficialCoding(SPEC.files, str.lower, "label", SPEC.scores, depth=1000)
