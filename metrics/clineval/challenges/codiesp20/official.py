"""CodiEsp 2020 as the released scripts score it."""

from __future__ import annotations

from functools import partial

from clineval.base.arrays import BoolArray, IntArray
from clineval.challenges.codiesp20.spec import Spec, protocol
from clineval.formats.delimited.code_tables import GOLD_PLACES, LISTS, PLACES
from clineval.formats.given.code_lists import read_codes
from clineval.kinds.codes.corpus import CodeCorpus
from clineval.kinds.mentions.columns import Side
from clineval.programs.code_scripts import AsPandas, check_valid
from clineval.results.challenge import Setup


class Official(Spec):
    """The released scripts: 1,000 codes count, MAP is over documents with predictions."""

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read one side; files are read as pandas does."""
        gold, places = side == "references", setup.config == "X"
        table = LISTS if not places else GOLD_PLACES if gold else PLACES
        valid = None if setup["codes"] is None else check_valid(setup["codes"])
        reader = AsPandas(table, ranked=not (gold or places))
        read = partial(reader.read, valid=None if gold else valid)
        return read_codes(given, side, read, places=places)

    def is_near(self, before: IntArray, after: IntArray) -> BoolArray:
        """Return which predictions contain the gold position and exceed it by at most 10."""
        contains: BoolArray = (before >= 0) & (after >= 0)
        return contains & super().is_near(before, after)

    def averaged(self, corpus: CodeCorpus, _golds: IntArray) -> BoolArray:
        """Return which documents count for MAP, ``[documents]``: those with a predicted code."""
        ranked: BoolArray = corpus.prediction.sizes(len(corpus.documents)) > 0
        return ranked


OFFICIAL = protocol(Official, str.lower, 1000)  # blanks are part of codes
