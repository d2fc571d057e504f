"""Labelled spans from tables, each with an optional set of codes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, replace
from typing import Any, Self, TypeVar

import numpy as np

from clineval.base.errors import warn
from clineval.base.files import Source
from clineval.formats.code_lists import VALID_CODES, CodeList, ListedSlot, describe
from clineval.formats.delimited.span_tables import ROWS, TABLES, split_codes
from clineval.formats.given.mentions import TextFormat
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.corpus import Corpus
from clineval.kinds.mentions.kind import SpanKind
from clineval.kinds.mentions.matching import same_value
from clineval.kinds.mentions.measures import Spans
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Pairing
from clineval.protocols.labelled_spans import LabelledSpans
from clineval.results.challenge import Configurations, Setup
from clineval.results.faces import Faces
from clineval.results.settings import declare_settings
from clineval.results.slots import Slot
from clineval.results.table_rows import TableRows

CODE = Slot("code", "label", required=True)
"""The codes of a mention, as one string."""
Columns = Mapping[str, tuple[str, ...]]
LINKED = Spans("linked", by="", title="Linked spans", short="lnk")


@dataclass(frozen=True)
class LinkedSpans(LabelledSpans):
    """Labelled spans and, with the slot ``code``, their codes.

    One more kind of match:

        linked     the same fragments, the same label, and the same set of codes

    If several mentions have the same span and label, mentions with equal codes are paired first.

    Args:
        separators: the separators between codes of a mention; empty if it has one code.
        suffix: a suffix that may follow a code after a separator and belongs to it.
        named: whether to reject labels that are not scored.
    """

    _: KW_ONLY
    files: TextFormat = TABLES
    separators: str = "+"
    suffix: str = ""
    named: bool = False

    @property
    def kind(self) -> SpanKind:
        """Labelled spans with codes and any other slots."""
        return replace(super().kind, free=True)

    @property
    def slot(self) -> Slot:
        """The slot of labels, which are compared as they are written."""
        known = (*self.labels, *self.drop)
        return Slot(self.label, "label", known if self.named else (), required=True)

    def read_side(self, source: object, side: str, setup: Setup) -> Side:
        """Read one side; the codes of a mention are sorted, without repeats."""
        code_list = self.list_codes(setup["codes"] if "codes" in setup.options else None)
        if CODE not in self.slots:
            return self.read_given(source, side, setup)
        judged = code_list is not None and side == "references"
        reader = self.judged_by(code_list, required=True) if judged else self
        spans = reader.read_given(source, side, setup)
        columns = spans.mentions.attributes
        values = tuple(dict.fromkeys(map(self.fold, columns[CODE.name].values)))
        columns = {**columns, CODE.name: columns[CODE.name].fold(self.fold, values)}
        if code_list and side == "predictions":
            code_list.warn(values)
        return replace(spans, mentions=replace(spans.mentions, attributes=columns))

    def list_codes(self, valid: Iterable[str] | None) -> CodeList | None:
        """Return the valid codes; other gold codes are errors, other predictions are wrong."""
        ending = f"|{self.suffix}" if self.suffix else ""
        known = None if valid is None else frozenset(map(str.strip, valid))
        return None if known is None else CodeList(known, self.split, ending)

    def judged_by(self, code_list: CodeList | None, *, required: bool) -> Self:
        """Return a copy that reads codes and rejects unlisted ones with file and line."""
        slot = ListedSlot(CODE.name, "label", required=required, codes=code_list)
        return replace(self, slots=(slot,))

    def split(self, cell: str) -> list[str]:
        """List the codes of a mention."""
        return split_codes(cell, self.separators, self.suffix)

    own_settings = declare_settings(
        VALID_CODES,
    )

    def table_rows(self, _setup: Setup, /) -> TableRows | None:
        """Return how tables are written, unless a program reads them."""
        return ROWS if self.files is TABLES else None

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the settings that affect the numbers: the list of valid codes."""
        return {"codes": describe(setup["codes"])} if "codes" in setup.options else {}

    def read_given(self, source: object, side: str, setup: Setup) -> Side:
        """Read one side unchanged; warn about labels that the challenge does not have."""
        spans = super().read_side(source, side, setup)
        if not self.named:
            self._warn_of_others(spans)
        return spans

    def _warn_of_others(self, found: Side) -> None:
        labels = found.mentions.attributes[self.label]
        others = [value not in self.labels for value in labels.values]
        warn(
            "{n} {mention has|mentions have} a label other than "
            f"{', '.join(self.labels)}, and {{counts|count}} like the others. Check the labels and "
            "the name of the metric",
            n=int(np.array(others, np.bool_)[labels.ids].sum()),
        )

    def fold(self, cell: str) -> str:
        """Return a set of codes in canonical form."""
        return self.separators[:1].join(sorted(set(self.split(cell))))

    def pair(self, block: Corpus, setup: Setup, /) -> Pairing:
        """Pair by every kind of match."""
        pairing = super().pair(block, setup)
        strict = pairing["strict"]
        if CODE not in self.slots or not isinstance(strict, Pairs):
            return pairing
        return {**pairing, LINKED.name: strict.take(same_value(strict, block, CODE))}

    def check(self, source: Source, setup: Setup, /) -> None:
        """Reject invalid files, and codes that are not in the list of the option ``codes``."""
        known = self.list_codes(setup["codes"] if "codes" in setup.options else None)
        reader = self.judged_by(known, required=False) if known else self
        reader.read_given(source, "references", setup)


SpansT = TypeVar("SpansT", bound=LinkedSpans)
"""The type of a challenge's configurations: these spans, or the subclass of a program."""


def list_faces(spec: Configurations[LinkedSpans], columns: Columns, **more: Any) -> Faces:
    """Return the faces of a challenge with such configurations.

    Args:
        spec: the configurations; each of them has its own slots.
        columns: configuration to the scores in spaCy's training table.
        more: other parts of :class:`Faces`.
    """
    usual = spec.usual

    def slots_of(config: str) -> tuple[Slot, ...]:
        found = spec.under(config)
        return found.all_slots if isinstance(found, LinkedSpans) else usual.all_slots

    return replace(
        usual.faces,
        docs=replace(usual.docs, columns=columns, slots=slots_of),
        formats="clineval.formats.delimited.span_table_documents",
        **more,
    )
