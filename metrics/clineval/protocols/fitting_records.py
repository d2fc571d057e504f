"""Records that share words, ready to be scored: paired by the best assignment."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field, replace

import numpy as np

from clineval.base.errors import InputError
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows
from clineval.kinds.records.corpus import RecordCorpus, is_valid
from clineval.kinds.records.fields import Field
from clineval.kinds.records.fitting import Compared, pair_fitting
from clineval.kinds.records.kind import WHOLE
from clineval.kinds.records.pairing import list_records
from clineval.kinds.records.shares import Shares, list_equal, list_shares
from clineval.kinds.records.values import INVALID
from clineval.protocols.records import (
    RecordMeasure,
    RecordPairing,
    Records,
    with_whole,
)
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns
from clineval.results.declaring import check_words
from clineval.results.match import Match
from clineval.results.measures import Measure

SAME, MATCH, STRICT = "same", "match", "strict"


@dataclass(frozen=True)
class FittingRecords(Records):
    """Records paired one to one so that their fields share most words.

    The pairing has the largest sum of F1 over the words of the first field. In ties the second
    field decides, and so on, then the number of pairs, and finally the records' texts, so that the
    order of records makes no difference. Records without a shared word in the first field are never
    paired. Scores:

        match          precision, recall and F1 of records; pairs are right
        strict         the same for the first field, which is right if it is equal
        <field>        for a field with one value, the same for values, numbers within the field's
                       tolerance; for words and sets, the mean over records of the shared part
                       (:class:`~clineval.kinds.records.shares.Shares`)

    Args:
        fields: the fields of a record.
        matches: kinds of match besides ``match`` and ``strict``, as in :class:`clineval.Records`.
        word: the usual word for a record.
        form: the format of files; by default JSON Lines.
        distinct: as in :class:`clineval.Records`.
        allowed: as in :class:`clineval.Records`.
        parts: not supported.
        by: the fields that determine the pairs, the most important one first.
        row: the field by whose values statistics, errors and confusions are broken down.

    Examples:
        >>> said = Field("order", "words", required=True), Field("kind", "closed", ("lab", "drug"))
        >>> FittingRecords(said, by=("order", "kind"), row="kind").measures.headline
        ('match_f1', 'strict_f1', 'order_f1', 'kind_f1')
    """

    widest = MATCH

    matches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    _: KW_ONLY
    by: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        super().__post_init__()
        check_words(self.by, "by", least=1)
        if self.parts:
            raise InputError("records that are paired by similarity have no parts", where="parts")
        self._check_fields(self.by)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of all fields."""
        return tuple(each.name for each in self.fields)

    def find_field(self, name: str) -> Field:
        """Return the field of a name."""
        return next(each for each in self.fields if each.name == name)

    def pair(self, block: RecordCorpus, _setup: Setup, /) -> RecordPairing:
        """Pair the records that have the required fields."""
        needed = [each.name for each in self.fields if each.required]
        able = [is_valid(side, needed) for side in block.sides]
        pairs = pair_fitting(block, [self.find_compared(block, name) for name in self.by], able)
        return {SAME: self.take_same(block, pairs), MATCH: pairs}

    def take_same(self, block: RecordCorpus, pairs: Pairs) -> Pairs:
        """Return the pairs that are equal in all fields."""
        same = np.ones(len(pairs), np.bool_)
        for name in self.shown:
            same &= self.find_compared(block, name).are_equal(pairs)
        return pairs.take(same)

    def find_compared(self, corpus: RecordCorpus, name: str) -> Compared:
        """Prepare a field of both sides, once."""
        if name not in corpus.known:
            corpus.known[name] = self.compare(corpus, name)
        found: Compared = corpus.known[name]
        return found

    def compare(self, corpus: RecordCorpus, name: str) -> Compared:
        """Prepare a field of both sides."""
        return Compared.of(corpus, self.find_field(name))

    def list_matches(
        self, block: RecordCorpus, pairing: RecordPairing, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all records, and of each of their fields."""
        matches = self.list_fields(block, pairing)
        return {name: Rows(of, block.sides, of.columns) for name, of in matches.items()}

    def list_fields(self, corpus: RecordCorpus, pairing: RecordPairing) -> dict[str, Match]:
        """List the outcomes of all records, and of each of their fields."""
        rows = list_records(corpus, pairing[MATCH], MATCH).list(MATCH)[MATCH]
        first = self.find_compared(corpus, self.by[0])
        matches = {MATCH: rows, STRICT: list_equal(rows, first, STRICT)}
        for compared_field in self.fields:
            of_field = list_shares if compared_field.kind in ("words", "set") else list_equal
            compared = self.find_compared(corpus, compared_field.name)
            matches[compared_field.name] = of_field(rows, compared, compared_field.name)
        return matches

    def describe(self, corpus: RecordCorpus) -> RecordCorpus:
        """Return a copy with members in a line, and with a field that describes the record."""
        sets = {each.name: say_members for each in self.fields if each.kind == "set"}
        named = corpus.folded(sets)
        return named.with_sides(_with_row(side, self.shown, self.row) for side in named.sides)

    def scores(self) -> Iterator[Measure]:
        """Yield the measures."""
        yield RecordMeasure(MATCH, "Records", heading="paired", shown=("right", "other"))
        yield RecordMeasure(STRICT, "Records", heading=f"{self.by[0]}, equal")
        for each in self.fields:
            shared = each.kind in ("words", "set")
            yield Shares(each.name) if shared else RecordMeasure(each.name, "Values")


def _with_row(side: MentionColumns, names: Sequence[str], row: str) -> MentionColumns:
    whole = with_whole(side, (row,)).attributes[WHOLE]
    shown = {name: side.attributes[name] for name in names}
    return replace(side, attributes={**shown, WHOLE: whole})


def say_members(text: str) -> str:
    """Return the members of a set for people.

    Examples:
        >>> say_members('["12", "13"]'), say_members("[]")
        ('12, 13', '')
    """
    given = text if text in ("", INVALID) else json.loads(text)
    return ", ".join(map(str, given)) if isinstance(given, list) else str(given)
