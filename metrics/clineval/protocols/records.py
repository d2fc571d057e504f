"""Records without spans, ready to be scored: protocols that challenges parametrise."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, replace
from itertools import chain

from clineval.base.arrays import Coded
from clineval.base.errors import InputError
from clineval.formats.given.records import read_records
from clineval.formats.given.texts import option_of_texts, with_texts
from clineval.formats.record_files import RecordFormat
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.pairing import NO_PAIRS, Pairs, pair_equal_keys
from clineval.kinds.mentions.rows import Rows
from clineval.kinds.records.allowed import Allowed
from clineval.kinds.records.corpus import RecordCorpus, join_records
from clineval.kinds.records.fields import Field
from clineval.kinds.records.kind import WHOLE, RecordKind
from clineval.kinds.records.pairing import drop_repeats, list_records, number_keys, pair_rest
from clineval.kinds.records.parts import Part, split_records
from clineval.kinds.records.values import INVALID
from clineval.results.challenge import Setup
from clineval.results.columns import MentionColumns, Sides
from clineval.results.declaring import check_class, check_words
from clineval.results.faces import Faces
from clineval.results.formulas import Prf
from clineval.results.measures import Measure, Measures
from clineval.results.options import Option, check_name
from clineval.results.protocol import Protocol
from clineval.results.task import ClassSlot
from clineval.results.views import ItemCheck, ListView

RecordPairing = Mapping[str, Pairs]
"""Name of a kind of match to pairs; the first match has right pairs, the last has most pairs."""
TEXTS = option_of_texts("reports", "the text of each document. It does not affect any score.")


@dataclass(frozen=True)
class RecordMeasure(Prf):
    """Precision, recall and F1 of paired records.

    Args:
        shown: the kinds of items that a page counts as right; empty if no page does.
    """

    shown: tuple[str, ...] = ()

    def item_checks(self) -> Iterable[ItemCheck]:
        """List the counts, if a page shows the records."""
        wrong = () if "other" in self.shown else ("other",)
        counted = {"tp": self.shown, "fp": (*wrong, "spurious"), "fn": (*wrong, "missed")}
        for key, some in counted.items() if self.shown else ():
            yield ItemCheck(f"{self.name}_{key}", "records", some)


@dataclass(frozen=True)
class Records(Protocol[Side, RecordCorpus, RecordPairing]):
    """The records of each document, paired one to one with gold records.

        P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

    for the records of all documents, where tp counts pairs. The records of a document are a
    multiset: a repeated record must be found twice, unless records are ``distinct``. The order
    makes no difference. Documents on one side only count as all missed, or all spurious.

    Args:
        fields: the fields of a record.
        matches: kinds of match to the fields in which two records must be equal, the strictest
            first; each match pairs the records that the matches before it leave unpaired.
        row: the field by whose values statistics are broken down.
        word: the usual word for the content of a record, as in ``--by``.
        form: the format of files; by default JSON Lines with ``records``.
        distinct: whether equal records of a document, in the compared fields, count once.
        allowed: the values that each kind of record may have; None for any.
        parts: records that the first match also counts separately, for
            :class:`~clineval.kinds.records.parts.PartScores`.

    Examples:
        >>> said = Field("drug", "label", required=True), Field("dose", "value")
        >>> Records(said, {"same": ("drug", "dose"), "drug": ("drug",)}).measures.headline
        ('same_f1', 'drug_f1')
    """

    any_class = True

    fields: tuple[Field, ...]
    matches: Mapping[str, tuple[str, ...]]
    _: KW_ONLY
    row: str = ""
    word: str = WHOLE
    form: RecordFormat | None = None
    distinct: bool = False
    allowed: Allowed | None = None
    parts: tuple[Part, ...] = ()

    def __post_init__(self) -> None:
        check_class(self.fields, Field, "fields", "Declare each as Field(name, kind)")
        names = [field.name for field in self.fields]
        check_words(names, "names of fields", least=1)
        if type(self).pair is Records.pair and not self.matches:
            raise InputError("expected at least one kind of match, got none", where="matches")
        for match, compared in self.matches.items():
            check_words(compared, f"match {match!r}", least=1)
            self._check_fields(compared)
        self._check_fields([self.row] if self.row else [])
        near = {field.name for field in self.fields if field.tolerance}
        for name in near.intersection(chain(*self.matches.values())):
            problem = "a field with a tolerance is not compared for equality. Use FittingRecords"
            raise InputError(problem, where=f"field {name!r}")

    def _check_fields(self, names: Iterable[str]) -> None:
        """Reject unknown names of fields."""
        for name in names:
            check_name("field", name, [field.name for field in self.fields])

    @property
    def usual_form(self) -> RecordFormat:
        """How files are written."""
        return self.form or RecordFormat(self.fields)

    @property
    def shown(self) -> tuple[str, ...]:
        """The names of the fields that are compared."""
        return tuple(dict.fromkeys(name for names in self.matches.values() for name in names))

    def read_side(self, source: object, side: str, setup: Setup, /) -> Side:
        """Read files, JSON, lists of dicts, or mappings of documents to these.

        Invalid predictions are never rejected; they count as wrong.
        """
        is_gold = side == "references"
        found = read_records(source, side, self.find_form(setup), strict=is_gold)
        if self.allowed:
            found = self.allowed.apply(found)
        return with_texts(found, setup["texts"]) if is_gold else found

    def find_form(self, _setup: Setup, /) -> RecordFormat:
        """Return how files are written, depending on the challenge's options."""
        return self.usual_form

    def document_form(self, setup: Setup, /) -> RecordFormat:
        """Return how files are written."""
        return self.find_form(setup)

    def as_gold(self, _gold: Side, side: Side, _setup: Setup, /) -> Side:
        """Reject an annotator's records if they are invalid."""
        if any(INVALID in column.values for column in side.mentions.attributes.values()):
            raise InputError("an annotator has invalid records")
        return side

    def join(self, gold: Side, predicted: Side, _setup: Setup, /) -> RecordCorpus:
        """Join the records of both sides."""
        names = [field.name for field in self.fields]
        corpus = join_records(gold, predicted, names, self.shown)
        return drop_repeats(corpus, self.shown) if self.distinct else corpus

    def pair(self, block: RecordCorpus, _setup: Setup, /) -> RecordPairing:
        """Pair equal records, then records that are equal in fewer fields."""
        first, *others = self.matches
        keys = number_keys(block, self.matches[first])
        return self.pair_others(block, {first: pair_equal_keys(*keys)}, others)

    def pair_others(
        self, block: RecordCorpus, pairs: Mapping[str, Pairs], others: Iterable[str]
    ) -> RecordPairing:
        """Add kinds of match to the existing ones."""
        pairing = dict(pairs)
        for name in others:
            before = [*pairing.values()][-1] if pairing else NO_PAIRS
            pairing[name] = pair_rest(block, before, self.matches[name])
        return pairing

    def list_matches(
        self, block: RecordCorpus, pairing: RecordPairing, _setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all records, and of each part."""
        rows = {name: list_records(block, pairing[name], name) for name in self.matches}
        if self.parts:
            first = next(iter(self.matches))
            rows[first] = replace(rows[first], split=split_records(block, self.parts))
        return rows

    def sides(self, corpus: RecordCorpus, _setup: Setup, /) -> Sides:
        """Return the records for people."""
        return self.describe(corpus).sides

    def describe(self, corpus: RecordCorpus) -> RecordCorpus:
        """Return a copy with the compared fields, and with all of them in one."""
        return corpus.with_sides(with_whole(side, self.shown) for side in corpus.sides)

    @property
    def measures(self) -> Measures:
        """Precision, recall and F1 of each kind of match."""
        return Measures.of(*self.scores())

    def scores(self) -> Iterator[Measure]:
        """Yield the measures."""
        first, *others = self.matches
        yield RecordMeasure(first, "Records", shown=("right",))
        yield from (RecordMeasure(name, "Records") for name in others)

    @property
    def options(self) -> tuple[Option, ...]:
        """The notes' texts."""
        return (TEXTS,)

    @property
    def kind(self) -> RecordKind:
        """Records with their compared fields together as the class."""
        names = self.usual_form.names
        return RecordKind(ClassSlot(WHOLE, self.word), fields=self.fields, names=names)

    @property
    def faces(self) -> Faces:
        """A page of records beside each other."""
        main = self.measures.headline[0]
        page = ListView("clineval.kinds.records.page", {main: "F1"})
        return Faces(page=page)


def with_whole(
    side: MentionColumns, names: Sequence[str], spell: Callable[..., str] | None = None
) -> MentionColumns:
    """Return records with some of their fields, and with a field that joins them, for people.

    Args:
        side: the records.
        names: the fields.
        spell: joins the texts of the fields, in their order; by default with colons.
    """
    columns = [side.attributes[name] for name in names]
    texts = [[column.values[at] for at in column.ids.tolist()] for column in columns]
    whole = Coded.of(list(map(spell or say_fields, *texts)))
    shown = dict(zip(names, columns, strict=True))
    return replace(side, attributes={**shown, WHOLE: whole})


def say_fields(*texts: str) -> str:
    """Join the texts of a record's fields.

    Examples:
        >>> say_fields("5 Temperature unit", "F")
        '5 Temperature unit: F'
    """
    return ": ".join(texts)


def say_value(text: str) -> str:
    """Return a JSON value for people: words without quotation marks.

    Examples:
        >>> say_value('"Room air"'), say_value('"5"'), say_value("5")
        ('Room air', '"5"', '5')
    """
    if not text.startswith('"'):
        return text
    bare = json.loads(text)
    plain = bare.strip() == bare and bare and (bare[0].isalpha() and bare not in _WORDS)
    return str(bare) if plain else text


_WORDS = ("true", "false", "null")
