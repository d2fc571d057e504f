"""Read, align and count i2b2 2009 medication as ``__init__.py`` defines it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import ClassVar

import numpy as np

from clineval.base.arrays import Coded, IntArray
from clineval.base.files import Source
from clineval.base.ratios import Columns
from clineval.challenges.i2b2_2009_medication.alignment import align_in_stages
from clineval.challenges.i2b2_2009_medication.corpus import (
    Entries,
    EntryCorpus,
    EntryReading,
    join_entries,
)
from clineval.challenges.i2b2_2009_medication.items import (
    check,
    find_records,
    read_sets,
    read_side,
)
from clineval.challenges.i2b2_2009_medication.levels import HORIZONTAL, Counting, count_records
from clineval.challenges.i2b2_2009_medication.measures import score_system
from clineval.kinds.entries.columns import EntrySide
from clineval.kinds.entries.entry import FIELD_NAMES, FIELDS, GENRES
from clineval.kinds.entries.kind import EntryKind
from clineval.kinds.mentions.any_class import pair_any_class
from clineval.kinds.mentions.outcomes import ANY_CLASS
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows
from clineval.kinds.pages import Scored
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.match import NONE, Match
from clineval.results.measures import Finish
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.task import ClassSlot


def as_phrases(side: Entries) -> MentionColumns:
    """Return the phrases as mentions, with their field and the genre of their entry."""
    genre = side.columns.genre
    values = (*GENRES, "")
    return replace(
        side.mentions,
        document=side.mentions.document // len(FIELDS),
        attributes={
            "field": Coded(side.mentions.document % len(FIELDS), FIELD_NAMES),
            "genre": Coded(genre.fold(str, values).ids[side.owner], values),
        },
    )


def pair_fields(corpus: EntryCorpus, entries: Pairs) -> dict[str, Pairs]:
    """Pair the phrases of all fields.

    ``horizontal`` pairs equal phrases of aligned entries, ``aligned`` all phrases of the same
    field.
    """
    left = _find_phrases(corpus.gold, entries.gold)
    right = _find_phrases(corpus.system, entries.prediction)
    both = (left >= 0) & (right >= 0)
    same = corpus.gold.phrase[entries.gold] == corpus.system.phrase[entries.prediction]
    chosen = {"horizontal": both & same, "aligned": both}
    return {name: Pairs(left[rows], right[rows]) for name, rows in chosen.items()}


def _find_phrases(side: Entries, rows: IntArray) -> IntArray:
    """Return the phrase of each field of some entries, ``[k, 6]``; -1 if not mentioned."""
    phrases = np.full((len(side), len(FIELDS)), NONE)
    phrases[side.owner, side.mentions.document % len(FIELDS)] = np.arange(len(side.mentions))
    return phrases[rows]


ScoredEntries = Scored[EntryCorpus, Pairs]


class Spec(Protocol[EntrySide, EntryCorpus, Pairs]):
    """The definition: align equal medications, then overlapping ones; compare whole lists."""

    kind = EntryKind(ClassSlot("field", "field"), "tokens")

    by_line: ClassVar[bool] = True
    reading: ClassVar = EntryReading(
        strict=True, documents="all", phrases="offsets", order="canonical"
    )
    counting: ClassVar = Counting(
        vertical="lists", patients="either", rounded=lambda scores: scores, recall_of_nothing=0.0
    )

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[EntrySide, list[EntrySide]]:
        """Read both sides; the records' texts are read once, after the records are known."""
        gold, systems = super().read(references, predictions, setup)
        records = setup["records"]
        texts = None if records is None else cache(lambda names: find_records(names, records))
        return replace(gold, texts=texts), systems

    def read_side(self, given: object, side: str, _setup: Setup, /) -> EntrySide:
        """Read files or text of entries, dicts or ``Entry`` objects."""
        return read_side(given, side)

    def check(self, source: Source, setup: Setup, /) -> None:
        """Reject entries that do not fit the records' texts, if these are known."""
        check(source, setup["records"])

    def join(self, gold: EntrySide, system: EntrySide, setup: Setup, /) -> EntryCorpus:
        """Join both sides."""
        return join_entries(gold, system, self.reading, subset=setup["subset"])

    def as_gold(self, gold: EntrySide, side: EntrySide, _setup: Setup, /) -> EntrySide:
        """Give a system's side the records' texts."""
        return replace(side, texts=gold.texts)

    def resolve(self, corpus: EntryCorpus, setup: Setup, /) -> Setup:
        """Replace the option of evaluation sets by the sets of the corpus."""
        sets = read_sets(setup["evaluation_sets"], corpus.documents)
        return setup.with_options(evaluation_sets=sets)

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why records cannot be counted in parts: sets assign all records."""
        problem = "evaluation_sets assign all records"
        remedy = "Count without them, or all records at once"
        return "" if setup["evaluation_sets"] is None else f"{problem}. {remedy}"

    own_settings = declare_settings(
        Setting(
            "tokens",
            "where tokens come from: offsets or records",
            option="--records",
            literal=False,
        ),
        Setting("subset", "the entries that count, or `all`", option="--subset"),
        Setting("sets", "the evaluation sets", option="--evaluation-sets", literal=False),
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the options that the scores depend on."""
        return {
            "tokens": "offsets" if setup["records"] is None else "records",
            "subset": setup["subset"] or "all",
            "sets": setup["evaluation_sets"].label,
        }

    def pair(self, corpus: EntryCorpus, _setup: Setup, /) -> Pairs:
        """Align system entries with gold entries."""
        return align_in_stages(corpus)

    def list_matches(
        self, corpus: EntryCorpus, entries: Pairs, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the verdicts on the phrases of all fields.

        ``horizontal`` pairs equal phrases of aligned entries, ``aligned`` all phrases of the same
        field of aligned entries.
        """
        phrases = [
            replace(side.mentions, document=side.mentions.document // len(FIELDS))
            for side in (corpus.gold, corpus.system)
        ]
        counted = {
            f"{HORIZONTAL}_shared": ("tp",),
            f"{HORIZONTAL}_gold": ("tp", "fn"),
            f"{HORIZONTAL}_system": ("tp", "fp"),
        }
        return {
            name: Rows(pairs, (phrases[0], phrases[1]), counted if name == "horizontal" else {})
            for name, pairs in pair_fields(corpus, entries).items()
        }

    def complete(
        self, corpus: EntryCorpus, entries: Pairs, counted: Columns, setup: Setup, /
    ) -> Columns:
        """Add the other counts of each record, and the counts of each evaluation set."""
        columns = count_records(corpus, entries, self.counting, counted)
        of_sets = {
            f"set_{letter.lower()}_{name}": column * members
            for letter, members in setup["evaluation_sets"].members.items()
            for name, column in columns.items()
        }
        return {**columns, **of_sets}

    def sides(self, corpus: EntryCorpus, _setup: Setup, /) -> Sides:
        """Return the phrases."""
        return as_phrases(corpus.gold), as_phrases(corpus.system)

    def widen(
        self, corpus: EntryCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Also pair overlapping phrases of different fields."""
        sides = self.sides(corpus, setup)
        widest = pair_any_class(matches["aligned"], *sides, corpus.documents, "field")
        return {**matches, ANY_CLASS: widest}

    def finish(self, _setup: Setup, /) -> Finish:
        """Return the exact horizontal scores of a group."""
        return lambda totals, _: {**score_system(HORIZONTAL, totals), **totals}
