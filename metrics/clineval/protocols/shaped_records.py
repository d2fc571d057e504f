"""Records that a schema of the user describes, ready to be scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from pathlib import Path
from typing import ClassVar

import numpy as np

from clineval.base.arrays import IntArray
from clineval.base.errors import InputError, located, shown
from clineval.base.ratios import Columns
from clineval.base.strict_json import expect_json
from clineval.base.subjects import read_predictions, read_references
from clineval.formats.files import read_text
from clineval.formats.given.objects import ShapedSide, read_objects
from clineval.formats.given.texts import with_texts
from clineval.formats.record_files import RECORDS
from clineval.formats.record_objects import ObjectFormat
from clineval.kinds.codes.hierarchical import HierarchyScores
from clineval.kinds.mentions.pairing import Pairs
from clineval.kinds.mentions.rows import Rows
from clineval.kinds.records.corpus import RecordCorpus, join_records
from clineval.kinds.records.field_scores import (
    DOCUMENTS,
    EXACT,
    MATCH,
    RIGHT,
    ExactDocuments,
    FieldScores,
)
from clineval.kinds.records.kind import RecordKind
from clineval.kinds.records.nested import (
    NestedCorpus,
    are_equal,
    describe_rows,
    find_list,
    pair_nested,
)
from clineval.kinds.records.pairing import list_records
from clineval.kinds.records.rows import list_columns
from clineval.kinds.records.schema_tables import read_schema
from clineval.kinds.records.shape import LIST, ROOT, WHOLE, Table
from clineval.kinds.records.shares import list_equal, list_shares
from clineval.kinds.records.values import INVALID
from clineval.protocols.hierarchies import HIERARCHY, HIERARCHY_SETTING
from clineval.protocols.record_codes import CODE_FIELDS, describe_codes, find_record_judge
from clineval.protocols.records import TEXTS, RecordMeasure, RecordPairing
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.faces import Faces
from clineval.results.match import Match
from clineval.results.measures import Finish, Measures
from clineval.results.options import Option
from clineval.results.protocol import Protocol
from clineval.results.settings import Setting, declare_settings
from clineval.results.task import ClassSlot
from clineval.results.views import ListView

_FEW = 8
"""The most fields that a signature lists."""


def parse_schema(schema: object) -> Table | None:
    """Read the schema of records, from a file or as a dict.

    Raises:
        InputError: the schema is invalid; the message names the place in it.
    """
    if schema is None or isinstance(schema, Table):
        return schema
    if isinstance(schema, (str, Path)):
        text = schema if str(schema).lstrip().startswith("{") else read_text(schema)
        schema = expect_json(str(text), "a JSON Schema", "schema")
    if not isinstance(schema, Mapping):
        raise InputError(
            f"expected the path of a file or a dict, got {shown(schema)}", where="schema"
        )
    return located("schema", read_schema, schema)


SCHEMA = Option(
    "schema",
    "JSON Schema file of the records; by default the gold standard determines the fields.",
    None,
    "file",
    python="the JSON Schema of the records, as a dict or the path of a file; if None, the gold "
    "standard determines the fields.",
    parse=parse_schema,
)


@dataclass(frozen=True)
class ShapedRecords(Protocol[ShapedSide, NestedCorpus, RecordPairing]):
    """Records with fields, and with lists of records inside, that a JSON Schema describes.

    Records of a list are paired one to one, and the records inside within the pairs around them, as
    ``clineval describe clinical_records`` defines it. Scores:

        <field>          precision, recall and F1 of each field
        fields_mean      their means over the fields that either side has
        records_match    precision, recall and F1 of records; pairs are right
        records_exact    the same for pairs that agree in all fields and inside
        documents_exact  the share of documents whose records are all right

    Args:
        schema: the schema, as a dict or the path of a file; None leaves it to the option
            ``schema``. Without either, the gold standard determines the fields.

    Examples:
        >>> drug = {"type": "object", "properties": {"drug": {"type": "string", "x-key": True}}}
        >>> ShapedRecords({"type": "array", "items": drug}).measures.headline[0]
        'fields_mean_f1'
    """

    schema: object = None

    widest = MATCH
    any_class = True
    row: ClassVar[str] = LIST

    def __post_init__(self) -> None:
        object.__setattr__(self, "schema", parse_schema(self.schema))

    def find_shape(self, setup: Setup) -> Table | None:
        """Return the shape of records; None if the gold standard determines it."""
        given: Table | None = setup["schema"]
        return given or parse_schema(self.schema)

    @property
    def measures(self) -> Measures:
        """The scores of fields, records and documents."""
        return Measures.of(
            FieldScores(),
            RecordMeasure(MATCH, "Records", heading="paired", shown=("right", "other")),
            RecordMeasure(EXACT, "Records", heading="right in all fields", shown=("right",)),
            ExactDocuments(),
            HierarchyScores(always=False),
        )

    @property
    def faces(self) -> Faces:
        """A page of records beside each other; ``validate`` takes the schema too."""
        page = ListView("clineval.kinds.records.page", {self.measures.headline[0]: "F1"})
        return Faces(page=page, validation_options=(SCHEMA,))

    def finish(self, setup: Setup, /) -> Finish:
        """Return the function that computes the scores, also by a hierarchy if there is one."""
        return setup.measures.under(self.settings(setup)).finish

    @property
    def kind(self) -> RecordKind:
        """Records; their class is the record as a whole."""
        return RecordKind(ClassSlot(WHOLE, "record"), names=(RECORDS,))

    @property
    def options(self) -> tuple[Option, ...]:
        """The schema, the notes' texts, and the hierarchy of codes."""
        return (SCHEMA, TEXTS, HIERARCHY)

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[ShapedSide, list[ShapedSide]]:
        """Read both sides; without a schema, the references determine the fields."""
        gold = read_references(partial(self._read, setup), references)
        if gold.shape is not None:
            find_record_judge(setup, gold.shape)  # rejects a schema without codes
        read = partial(read_objects, shape=gold.shape)
        return gold, read_predictions(read, predictions)

    def _read(self, setup: Setup, source: object, side: str) -> ShapedSide:
        return self.read_side(source, side, setup)

    def read_side(self, source: object, side: str, setup: Setup, /) -> ShapedSide:
        """Read files, JSON, dicts, lists of dicts, or mappings of documents to these."""
        found = read_objects(source, side, self.find_shape(setup))
        return with_texts(found, setup["texts"]) if side == "references" else found

    def document_form(self, _setup: Setup, /) -> ObjectFormat:
        """Return how files are written."""
        return ObjectFormat(())

    def as_gold(self, _gold: ShapedSide, side: ShapedSide, _setup: Setup, /) -> ShapedSide:
        """Reject an annotator's records if they violate the schema."""
        if any(INVALID in column.values for column in side.mentions.attributes.values()):
            raise InputError("an annotator has records that violate the schema")
        return side

    def join(self, gold: ShapedSide, predicted: ShapedSide, _setup: Setup, /) -> NestedCorpus:
        """Join the records of both sides."""
        shape = gold.shape
        if shape is None:
            raise InputError("expected references with a schema")
        names = list_columns(shape)
        found = join_records(gold, predicted, names, names)
        held = {each.name: getattr(found, each.name) for each in fields(RecordCorpus)}
        return NestedCorpus(**held, shape=shape)

    def resolve(self, corpus: NestedCorpus, setup: Setup, /) -> Setup:
        """Set the schema to the one that the references determine, unless given."""
        if judge := find_record_judge(setup, corpus.shape):
            judge.check(corpus)
        return setup.with_options(schema=corpus.shape)

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone: all references give the fields."""
        if self.find_shape(setup) is not None:
            return ""
        return "by default all references determine the fields. Pass schema="

    def alone(self, setup: Setup, /) -> str:
        """Return the same reason: other fields of the prediction would not count as wrong."""
        return self.whole(setup)

    own_settings = declare_settings(
        Setting(
            "schema",
            "the number of fields, and a digest of the schema without its remarks",
            option="--schema",
            literal=False,
        ),
        Setting(
            "compare",
            "how each field compares, for up to 8 fields",
            option="--schema",
            literal=False,
        ),
        HIERARCHY_SETTING,
        CODE_FIELDS,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the schema's digest, and how the fields compare if they are few."""
        shape: Table = setup["schema"]
        listed = shape.every_field
        compare = {"compare": "+".join(each.in_signature for each in listed)}
        return {
            "schema": f"{len(listed)}-{shape.digest}",
            **(compare if len(listed) <= _FEW else {}),
            **describe_codes(setup, shape),
        }

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the names of the lists."""
        shape = self.find_shape(setup)
        return [ROOT] if shape is None else [table.name for _, table in shape.walk()]

    def pair(self, block: NestedCorpus, _setup: Setup, /) -> RecordPairing:
        """Pair records, and the records inside each pair."""
        found = pair_nested(block)
        return {EXACT: found.exact, MATCH: found.every}

    def list_matches(
        self, block: NestedCorpus, pairing: RecordPairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the outcomes of all records, and of each of their fields.

        With a hierarchy, add those of codes and their ancestors.
        """
        every = list_records(block, pairing[MATCH], MATCH).list(MATCH)[MATCH]
        matches = {EXACT: _list_exact(every, pairing[EXACT]), **_list_fields(block, every)}
        equal = np.zeros(every.pairs, np.bool_)
        for _, table in block.shape.walk():
            rows = _find_rows(block, every, table)
            pairs = Pairs(
                *(side[rows[rows < every.pairs]] for side in (every.gold, every.prediction))
            )
            equal[rows[rows < every.pairs]] = are_equal(block, table, pairs)
        matches[MATCH] = replace(every, equal={WHOLE: equal})
        counted = {name: Rows(of, block.sides, of.columns) for name, of in matches.items()}
        judge = find_record_judge(setup, block.shape)
        return {**counted, **judge.list_matches(block, every)} if judge else counted

    def widen(
        self, corpus: NestedCorpus, matches: Mapping[str, Match], setup: Setup, /
    ) -> Mapping[str, Match]:
        """Add how codes of paired records are related, if there is a hierarchy."""
        judge = find_record_judge(setup, corpus.shape)
        return {**matches, **judge.explain(corpus, matches[MATCH])} if judge else matches

    def complete(
        self, _block: NestedCorpus, _pairing: RecordPairing, counted: Columns, _setup: Setup, /
    ) -> Columns:
        """Count the documents whose records are all right."""
        wrong = counted[f"{EXACT}_fp"] + counted[f"{EXACT}_fn"]
        return {**counted, RIGHT: wrong == 0, DOCUMENTS: np.ones(len(wrong), np.int64)}

    def sides(self, corpus: NestedCorpus, _setup: Setup, /) -> Sides:
        """Return the records for people."""
        sides = (describe_rows(corpus, side, WHOLE) for side in corpus.sides)
        return corpus.with_sides(sides).sides


def _find_rows(corpus: NestedCorpus, every: Match, table: Table) -> IntArray:
    """Return the rows of a match whose records belong to a list."""
    gold, predicted = (find_list(side, table) for side in corpus.sides)
    return np.flatnonzero(every.choose(gold, predicted))


def _list_exact(every: Match, exact: Pairs) -> Match:
    """Return the outcomes of records that must be right in all fields and inside."""
    right = np.isin(every.gold, exact.gold) & (every.prediction >= 0)
    verdict = np.where(right, 0, np.where(every.gold < 0, 2, np.where(every.prediction < 0, 3, 1)))
    columns = {
        f"{EXACT}_tp": ("right",),
        f"{EXACT}_fp": ("wrong", "fp"),
        f"{EXACT}_fn": ("wrong", "fn"),
    }
    verdicts = ("right", "wrong", "fp", "fn")
    return replace(every, verdict=verdict.astype(np.int8), verdicts=verdicts, columns=columns)


def _list_fields(corpus: NestedCorpus, every: Match) -> dict[str, Match]:
    """Return the outcomes of each field, for the records of its list."""
    found = {}
    for _, table in corpus.shape.walk():
        rows = every.take(_find_rows(corpus, every, table), {})
        for each in table.fields:
            list_field = list_shares if each.compare in ("words", "set") else list_equal
            name = label_key(each.name)
            found[name] = list_field(rows, corpus.find_compared(each), name)
    return found
