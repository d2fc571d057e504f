"""Score PharmaCoNER 2019 by its definition: mentions, and codes of documents."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from clineval.base.errors import warn
from clineval.challenges.pharmaconer19 import indexing_tsv
from clineval.challenges.pharmaconer19.indexing_tsv import NOTHING, is_unclear, read_notes
from clineval.formats.brat.columns import BratLabels
from clineval.kinds.codes.corpus import CODE
from clineval.kinds.codes.prefixes import AnyHierarchy, WithOthers
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.leak import Leak
from clineval.kinds.mentions.measures import Spans
from clineval.protocols.code_sets import CodeMeasure, CodeSets, fold_code
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.results.challenge import Setup
from clineval.results.settings import Setting, declare_settings

LABELS = ("NORMALIZABLES", "NO_NORMALIZABLES", "PROTEINAS")
UNCLEAR, NO_CODE = "UNCLEAR", "<null>"


_UNCLEAR = Setting(
    "unclear",
    "whether unclear mentions, and their codes, are dropped",
    option="--unclear",
    literal=False,
)


class Mentions(LabelledSpans):
    """Score sub-track 1; drop mentions labelled UNCLEAR unless ``unclear`` is ``kept``."""

    def labels_of(self, setup: Setup, /) -> tuple[str, ...]:
        """Return the labels, with UNCLEAR if such mentions are kept."""
        return self.labels if setup["unclear"] == "kept" else LABELS

    def dropped(self, setup: Setup, /) -> tuple[str, ...]:
        """Return the labels to drop: UNCLEAR, or none."""
        return () if setup["unclear"] == "kept" else (UNCLEAR,)

    own_settings = declare_settings(_UNCLEAR)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the settings that the scores depend on, besides the protocol."""
        return {"unclear": setup["unclear"]}


class Indexing(CodeSets):
    """Score sub-track 2; if the gold mentions are given, drop codes of UNCLEAR mentions alone."""

    own_settings = declare_settings(_UNCLEAR, *CodeSets.own_settings)

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the settings that the scores depend on, besides the protocol."""
        unclear = "kept" if setup["annotations"] is None else "dropped"
        return {"unclear": unclear, **super().settings(setup)}

    def find_hierarchy(self, setup: Setup) -> AnyHierarchy | None:
        """Return the hierarchy, to which the code of unnormalizable mentions does not belong."""
        found = super().find_hierarchy(setup)
        return found and WithOthers(found, frozenset([NO_CODE]))

    def read_side(self, given: object, side: str, setup: Setup, /) -> Side:
        """Read one side; drop gold codes that only unclear mentions have."""
        found = super().read_side(given, side, setup)
        kept = side == "predictions" or setup["annotations"] is None
        return found if kept else self._drop_unclear(found, setup)

    def _drop_unclear(self, gold: Side, setup: Setup) -> Side:
        found = read_notes(setup["annotations"], gold.documents, UNCLEAR)
        noted = {name: of.folded(self.fold) for name, of in found.items()}
        codes = gold.mentions.attributes[CODE]
        kept = [
            row
            for row, document in enumerate(gold.mentions.document.tolist())
            if not is_unclear(
                self.fold(codes.values[codes.ids[row]]),
                noted.get(gold.documents[document], NOTHING),
            )
        ]
        missing = [name for name in gold.documents if name not in noted]
        warn(
            "{n} {document has no annotations, and all its|documents have no annotations, and all "
            "their} codes count: {names}",
            missing,
        )
        return replace(gold, mentions=gold.mentions.take(np.array(kept, np.int64)))


def mentions(protocol: type[Mentions], files: BratLabels) -> Mentions:
    """Return a protocol for sub-track 1 that reads files in this format."""
    labels = (*LABELS, UNCLEAR)
    return protocol(
        labels,
        files=files,
        scores=(
            Spans("strict", labels=labels, title="Sub-track 1: entities", short="ner"),
            Leak(labels=labels),
        ),
        short="pha19",
        columns={"default": ("strict_f1", "leaked_mentions_share")},
        format="brat",
    )


CODES = CodeMeasure(title="Sub-track 2: concept indexing")
MENTIONS = mentions(Mentions, BratLabels())
INDEXING = Indexing(indexing_tsv.read_side, fold_code, "label", (CODES,))
