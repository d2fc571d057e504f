"""The rules of evaluate.py, the released script of i2b2 2014, for risk factors."""

from __future__ import annotations

import numpy as np

from clineval.base.arrays import BoolArray
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2014_risk.spec import Risk, declare
from clineval.challenges.i2b2_2014_risk.tags import ATTRIBUTES, SCRIPT_FIELDS
from clineval.formats.i2b2_annotations import TAG_FILES
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import RecordCorpus
from clineval.programs.common_documents import keep_common
from clineval.programs.record_systems import ScriptTagFiles
from clineval.results.challenge import Setup


class Official(Risk):
    """The released script: records of both sides, values as they are written."""

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> RecordCorpus:
        """Join the records that both sides have."""
        return super().join(*keep_common(gold, predicted), setup)

    def find_averaged(self, counted: Columns) -> BoolArray:
        """Return which records are averaged: all, including records without any tag."""
        return np.ones(len(counted["micro_tp"]), np.bool_)


FORM = ScriptTagFiles(SCRIPT_FIELDS, ("tags",), TAG_FILES, elements=ATTRIBUTES)
OFFICIAL = declare(Official, FORM)
