"""The i2b2 2009 medication challenge: medications with dosage, mode, frequency, duration, reason.

An entry links a medication (``m``) with its dosage (``do``), mode (``mo``), frequency (``f``),
duration (``du``) and reason (``r``); each is a phrase at some tokens of the record, or not
mentioned. With S the size of the ground truth, N that of the system output, and D what they
share (seed, section 1):

    P = D / N        R = D / S        F = 2 P R / (P + R)

Exact: D, N and S count phrases, and two phrases are the same if their offsets are. Inexact: they
count tokens. Either is taken in two directions:

- Horizontal, with entries aligned: D is what the same fields of two aligned entries share; N and
  S count all fields of all entries, aligned or not.
- Vertical, without regard to entries: for each record and field a list of phrases with no phrase
  twice; inexact, the tokens that they cover, each once. ``vertical_all`` adds up all six fields.

System level is micro-averaged over all records. Patient level is the mean over records of P, R
and F of the record (eq. 1); a record counts if the ground truth or the system has something
there, since one with nothing on either side has no F. All scores lie between 0 and 1; a score
whose denominator is 0 is 0.

Entries that agree in all six fields are one entry. Entries are aligned one to one: for each
system entry in order the free ground truth entry with the best F over the tokens of all fields,
of equals the earlier one; their medications must share a token. The order of entries is that of
their token positions, field by field, so that it does not depend on the file.

``subset`` looks at the entries of lists or of narratives only. ``evaluation_sets`` gives every
record to set A, B or C; scores of each set have the prefix ``set_a_`` and so on, and those with
``sets_mean_`` are their arithmetic mean (sets without a record are left out).

``protocol="official"`` gives the released script's numbers, with its own rules: see
``clineval describe i2b2_2009_medication``.

Source: Uzuner, Solti, Xia, i2b2 Medication Challenge (Tentative) Evaluation Metrics, 16 June 2009.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import Any, Literal

import numpy as np

from clineval.analysis.outcomes import MENTION_VERDICTS, NONE, Match, Outcomes, list_units
from clineval.arrays import BoolArray, Coded, IntArray
from clineval.challenge import Challenge, Difference, Grid
from clineval.counts import Counts
from clineval.digest import Hashes, digest_documents
from clineval.entries.alignment import (
    SharedTokens,
    align_by_entry,
    align_by_pair,
    find_shared_tokens,
)
from clineval.entries.corpus import Entries, EntryCorpus, EntryReading, cover, join_entries
from clineval.entries.entry import FIELDS, GENRES
from clineval.entries.evaluation_sets import read_sets
from clineval.entries.rounding import round_as_python2
from clineval.errors import InputError, shown
from clineval.formats.i2b2_columns import read_side
from clineval.mentions.columns import MentionColumns
from clineval.mentions.pairing import Pairs
from clineval.scores import Number, Totals, ratio

FIELD_NAMES = ("medication", "dosage", "mode", "frequency", "duration", "reason")
MATCHES = ("exact", "inexact")
DIRECTIONS = ("horizontal", *(f"vertical_{name}" for name in (*FIELD_NAMES, "all")))
SETS = ("A", "B", "C")
_PRF = ("precision", "recall", "f1")
_PARTS = ("shared", "gold", "system", *(f"{measure}_sum" for measure in _PRF), "records")
_FIELD_SHIFT = 48

Columns = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        reading: how entries are read.
        alignment: ``by_entry``: each system entry in turn takes its best gold entry;
            ``by_pair``: the best pair of the record comes first.
        vertical: ``lists`` of phrases without regard to entries, or ``aligned`` entries.
        patients: a field's patient-level mean is over the records where ``either`` side has it,
            or where the ``gold`` standard has it.
        decimals: to which P, R and F of a record are rounded; None if they are not.
        recall_of_nothing: recall where the gold standard has nothing.
    """

    reading: EntryReading
    alignment: Literal["by_entry", "by_pair"]
    vertical: Literal["lists", "aligned"]
    patients: Literal["either", "gold"]
    decimals: int | None
    recall_of_nothing: float


SPEC = Rules(
    reading=EntryReading(strict=True, documents="all", phrases="offsets", order="canonical"),
    alignment="by_entry",
    vertical="lists",
    patients="either",
    decimals=None,
    recall_of_nothing=0.0,
)
OFFICIAL = Rules(
    reading=EntryReading(strict=False, documents="gold", phrases="tokens", order="written"),
    alignment="by_pair",
    vertical="aligned",
    patients="gold",
    decimals=4,
    recall_of_nothing=0.09,
)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}
_ALIGNMENTS = {"by_entry": align_by_entry, "by_pair": align_by_pair}


@dataclass(frozen=True, slots=True, eq=False)
class Sizes:
    """D, S and N: ``[records, 6]``, of each record and field, or ``[records]``."""

    shared: IntArray
    gold: IntArray
    system: IntArray

    @property
    def either(self) -> BoolArray:
        """Where there is something on one of the sides."""
        either: BoolArray = (self.gold > 0) | (self.system > 0)
        return either

    def of_field(self, number: int) -> Sizes:
        """``[records]``, one field."""
        return Sizes(self.shared[:, number], self.gold[:, number], self.system[:, number])

    def sum(self) -> Sizes:
        """``[records]``, all fields together."""
        return Sizes(self.shared.sum(axis=1), self.gold.sum(axis=1), self.system.sum(axis=1))


def count(  # noqa: PLR0913 - the options are the challenge's
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    records: Any = None,
    subset: str | None = None,
    evaluation_sets: Any = None,
) -> Counts:
    """Count phrases and tokens record by record.

    Args:
        predictions: a path of ``*.i2b2.entries`` files, or for each record a list of entries as
            dicts or as objects, or the text of its file.
        references: as the predictions.
        config: ``default``.
        protocol: ``spec`` or ``official``.
        records: the records' texts as a list, as a mapping from record name to text, or as a
            directory; needed where a field crosses lines.
        subset: ``list`` or ``narrative``.
        evaluation_sets: a mapping from record name to A, B or C, or the path of a JSON file of
            it, or a letter for each record in order.
    """
    rules = PROTOCOLS[protocol]
    if subset is not None and subset not in GENRES:
        raise InputError(f"unknown subset {shown(subset)}, expected one of {', '.join(GENRES)}")
    gold = read_side(references, side="references")
    system = read_side(predictions, side="predictions")
    corpus = join_entries(gold, system, rules.reading, records=records, subset=subset)
    sets = read_sets(evaluation_sets, corpus.documents, SETS)
    columns = _count_columns(corpus, rules)
    of_sets = {
        f"set_{letter.lower()}_{name}": column * members
        for letter, members in sets.members.items()
        for name, column in columns.items()
    }
    columns |= of_sets
    return Counts(
        CHALLENGE.name,
        config,
        {
            "protocol": protocol,
            "tokens": "offsets" if records is None else "records",
            "subset": subset or "all",
            "sets": sets.label,
        },
        tuple(columns),
        corpus.documents,
        np.column_stack([*columns.values()]),
        _digest(corpus),
    )


def list_outcomes(  # noqa: PLR0913 - as count
    predictions: Any,
    references: Any,
    *,
    config: str = "default",
    protocol: str = "spec",
    records: Any = None,
    subset: str | None = None,
    evaluation_sets: Any = None,
) -> Outcomes:
    """What became of the phrases of all fields; the arguments are those of :func:`count`.

    ``horizontal`` pairs equal phrases of aligned entries, ``aligned`` all phrases of the same
    field of aligned entries. The scores of a group are the exact horizontal ones.
    """
    del evaluation_sets  # of records, which can be told apart by their names
    rules = PROTOCOLS[protocol]
    gold = read_side(references, side="references")
    system = read_side(predictions, side="predictions")
    corpus = join_entries(gold, system, rules.reading, records=records, subset=subset)
    entries, _ = align(corpus, rules)
    left, right = (
        _find_phrases(side, rows)
        for side, rows in ((corpus.gold, entries.gold), (corpus.system, entries.prediction))
    )
    both = (left >= 0) & (right >= 0)
    same = corpus.gold.phrase[entries.gold] == corpus.system.phrase[entries.prediction]
    sides = _as_phrases(corpus.gold), _as_phrases(corpus.system)
    columns = {
        "exact_horizontal_shared": ("tp",),
        "exact_horizontal_gold": ("tp", "fn"),
        "exact_horizontal_system": ("tp", "fp"),
    }
    matches = {
        name: Match(
            *list_units(Pairs(left[chosen], right[chosen]), *map(len, sides)),
            MENTION_VERDICTS,
            counted,
        )
        for name, chosen, counted in (("horizontal", both & same, columns), ("aligned", both, {}))
    }
    return Outcomes(
        CHALLENGE.name, config, corpus.documents, *sides, matches, "aligned", _finish_group
    )


def _find_phrases(side: Entries, rows: IntArray) -> IntArray:
    """``[k, 6]``, the phrase of each field of some entries; -1 where it is not mentioned."""
    phrases = np.full((len(side), len(FIELDS)), NONE)
    phrases[side.owner, side.mentions.document % len(FIELDS)] = np.arange(len(side.mentions))
    return phrases[rows]


def _as_phrases(side: Entries) -> MentionColumns:
    """The phrases as mentions, with their field, and where their entries are."""
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


def _finish_group(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    name = "exact_horizontal"
    shared, gold, system = (totals[f"{name}_{part}"] for part in ("shared", "gold", "system"))
    return {
        f"{name}_system_precision": ratio(shared, system),
        f"{name}_system_recall": ratio(shared, gold),
        f"{name}_system_f1": ratio(2 * shared, gold + system),
        **totals,
    }


def finish(totals: Totals, config: str) -> dict[str, Number]:  # noqa: ARG001 - there is one
    """Scores from totals; see the top of the file for the formulas."""
    scores = _finish_set(totals, "")
    sets = [f"set_{letter.lower()}_" for letter in SETS]
    if f"{sets[0]}records" not in totals:
        return scores
    of_sets = [_finish_set(totals, prefix) for prefix in sets]
    used = sum((np.sign(totals[f"{prefix}records"]) for prefix in sets), np.zeros(()))
    for prefix, of_set in zip(sets, of_sets, strict=True):
        scores |= {f"{prefix}{name}": value for name, value in of_set.items()}
    for name in of_sets[0]:
        scores[f"sets_mean_{name}"] = ratio(sum(of_set[name] for of_set in of_sets), used)
    return scores


def align(corpus: EntryCorpus, rules: Rules) -> tuple[Pairs, SharedTokens]:
    """Align the entries of a corpus; also what their fields share."""
    shared = find_shared_tokens(corpus)
    return _ALIGNMENTS[rules.alignment](corpus, shared), shared


def _finish_set(totals: Totals, prefix: str) -> dict[str, Number]:
    unasked = ratio(totals[f"{prefix}recall_of_nothing"], totals[f"{prefix}records"])
    scores: dict[str, Number] = {}
    for match, direction in product(MATCHES, DIRECTIONS):
        name = f"{match}_{direction}"
        of = {part: totals[f"{prefix}{name}_{part}"] for part in _PARTS}
        scores[f"{name}_system_precision"] = ratio(of["shared"], of["system"])
        recall = ratio(of["shared"], of["gold"])
        scores[f"{name}_system_recall"] = recall + unasked * (of["gold"] == 0)
        scores[f"{name}_system_f1"] = ratio(2 * of["shared"], of["gold"] + of["system"])
        for measure in _PRF:
            mean = ratio(of[f"{measure}_sum"], of["records"])
            scores[f"{name}_patient_{measure}"] = mean
    return scores


def _count_columns(corpus: EntryCorpus, rules: Rules) -> Columns:
    pairs, shared = align(corpus, rules)
    visited = corpus.visited
    every = np.ones(len(corpus.documents))
    columns = {"records": every, "recall_of_nothing": every * rules.recall_of_nothing}
    for match in MATCHES:
        aligned = _MEASURES[match, "aligned"](corpus, pairs, shared)
        vertical = _MEASURES[match, rules.vertical](corpus, pairs, shared)
        for direction, sizes in (("horizontal", aligned.sum()), ("vertical_all", vertical.sum())):
            counts = sizes.either if rules.patients == "either" else visited
            columns |= _score_records(f"{match}_{direction}", sizes, counts, rules)
        for k, name in enumerate(FIELD_NAMES):
            sizes = vertical.of_field(k)
            counts = sizes.either if rules.patients == "either" else sizes.gold > 0
            columns |= _score_records(f"{match}_vertical_{name}", sizes, counts, rules)
    return {name: column.astype(np.float64) for name, column in columns.items()}


def _score_records(name: str, sizes: Sizes, counts: BoolArray, rules: Rules) -> Columns:
    """Sizes of each record, and its P, R and F where it counts for the patient level."""
    precision = ratio(sizes.shared, sizes.system)
    recall = np.where(sizes.gold > 0, ratio(sizes.shared, sizes.gold), rules.recall_of_nothing)
    f1 = ratio(2 * precision * recall, precision + recall)
    scores = dict(zip(_PRF, (precision, recall, f1), strict=True))
    if rules.decimals is not None:
        scores = {name: round_as_python2(s, rules.decimals) for name, s in scores.items()}
    return {
        f"{name}_shared": sizes.shared,
        f"{name}_gold": sizes.gold,
        f"{name}_system": sizes.system,
        **{f"{name}_{measure}_sum": score * counts for measure, score in scores.items()},
        f"{name}_records": counts,
    }


def _phrases_of_aligned(corpus: EntryCorpus, pairs: Pairs, _: SharedTokens) -> Sizes:
    """Exact: the phrases of all entries, and those that aligned entries agree in."""
    gold, system = corpus.gold, corpus.system
    size = len(corpus.documents)
    phrase = gold.phrase[pairs.gold]
    equal = (phrase == system.phrase[pairs.prediction]) & (phrase > 0)
    return Sizes(
        _add_up(gold.record[pairs.gold], equal, size),
        _add_up(gold.record, gold.phrase > 0, size),
        _add_up(system.record, system.phrase > 0, size),
    )


def _tokens_of_aligned(corpus: EntryCorpus, pairs: Pairs, shared: SharedTokens) -> Sizes:
    """Inexact: the tokens of all phrases, and those that aligned entries share."""
    partner = np.full(len(corpus.gold), -1)
    partner[pairs.gold] = pairs.prediction
    aligned = np.flatnonzero(partner[shared.gold] == shared.system)
    record = corpus.gold.record[shared.gold[aligned]].astype(np.int64)
    document = record * len(FIELDS) + shared.field[aligned]
    return Sizes(
        _by_field(document, shared.tokens[aligned], corpus),
        _by_field(corpus.gold.mentions.document, corpus.gold.lengths, corpus),
        _by_field(corpus.system.mentions.document, corpus.system.lengths, corpus),
    )


def _phrases_of_lists(corpus: EntryCorpus, _: Pairs, __: SharedTokens) -> Sizes:
    """Exact: the different phrases of each record and field."""
    stride = 1 + max(int(side.phrase.max(initial=0)) for side in (corpus.gold, corpus.system))
    lists = []
    for side in (corpus.gold, corpus.system):
        document = side.record[:, None].astype(np.int64) * len(FIELDS) + np.arange(len(FIELDS))
        lists.append(np.unique((document * stride + side.phrase)[side.phrase > 0]))
    gold, system = lists
    shared = np.intersect1d(gold, system, assume_unique=True)
    return Sizes(
        *(_by_field(keys // stride, np.ones(len(keys)), corpus) for keys in (shared, gold, system))
    )


def _tokens_of_lists(corpus: EntryCorpus, _: Pairs, __: SharedTokens) -> Sizes:
    """Inexact: the tokens that the phrases of each record and field cover."""
    sides = (corpus.gold, corpus.system)
    gold, system, either = (_covered(chosen, corpus) for chosen in (sides[:1], sides[1:], sides))
    return Sizes(gold + system - either, gold, system)


def _covered(sides: Sequence[Entries], corpus: EntryCorpus) -> IntArray:
    """``[records, 6]``: the tokens that some sides' phrases cover, each once."""
    mentions = [side.mentions for side in sides]
    document, starts, ends = cover(
        np.concatenate([side.document[side.owners] for side in mentions]),
        np.concatenate([side.starts for side in mentions]),
        np.concatenate([side.ends for side in mentions]),
    )
    return _by_field(document, ends - starts, corpus)


def _by_field(document: IntArray, weights: Any, corpus: EntryCorpus) -> IntArray:
    """``[records, 6]``: sums by the number of the record times 6 plus that of the field."""
    size = len(corpus.documents) * len(FIELDS)
    return np.bincount(document, weights, size).astype(np.int64).reshape(-1, len(FIELDS))


def _add_up(record: IntArray, table: Any, size: int) -> IntArray:
    """``[size, 6]``: the rows of a table added up record by record."""
    columns = [np.bincount(record, column, size) for column in table.T]
    return np.stack(columns, axis=1).astype(np.int64)


_MEASURES = {
    ("exact", "aligned"): _phrases_of_aligned,
    ("inexact", "aligned"): _tokens_of_aligned,
    ("exact", "lists"): _phrases_of_lists,
    ("inexact", "lists"): _tokens_of_lists,
}


def _digest(corpus: EntryCorpus) -> Hashes:
    """Digests of the gold entries' offsets, which say of each fragment what field it is in."""
    entries = corpus.gold.columns
    fields = entries.field.astype(np.int64) << _FIELD_SHIFT
    none = Coded(np.zeros(len(entries), np.int32), ("",))
    columns = MentionColumns(
        entries.record, entries.bounds, entries.first | fields, entries.last, {}, none
    )
    return digest_documents(columns, len(corpus.documents))


def _keys(match: str, direction: str) -> tuple[str, ...]:
    levels = ("system", "patient")
    return tuple(f"{match}_{direction}_{level}_{measure}" for level in levels for measure in _PRF)


_HEADINGS = ("P", "R", "F1", "patient P", "R", "F1")


def _grids(prefix: str, title: str) -> Iterator[Grid]:
    """The tables of all records, of a set, or of the mean of the sets."""
    rows = {match: tuple(prefix + key for key in _keys(match, "horizontal")) for match in MATCHES}
    yield Grid(f"{title}Horizontal: linked fields", _HEADINGS, rows)
    for match in MATCHES:
        vertical = {
            name: tuple(prefix + key for key in _keys(match, f"vertical_{name}"))
            for name in (*FIELD_NAMES, "all")
        }
        yield Grid(f"{title}Vertical, {match}: fields by themselves", _HEADINGS, vertical)


CHALLENGE = Challenge(
    name="i2b2_2009_medication",
    title="i2b2 2009 medication challenge",
    configs={"default": "entries and their fields, exact and inexact, horizontal and vertical"},
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "alignment",
            "each system entry in turn takes the free gold entry with the best F",
            "the pair with the best F of the whole record comes first",
            "best_first",
        ),
        Difference(
            "F that differ by less than .001",
            "differ",
            "are ties, which go to the entries that come first in the files",
            "near_tie",
        ),
        Difference(
            "vertical lists",
            "are compared without regard to entries",
            "hold the fields of aligned entries only",
            "vert_unaligned",
        ),
        Difference(
            "a phrase that several entries of a record have",
            "is in the vertical list once",
            "counts once for each entry",
            "vert_dup",
        ),
        Difference(
            "recall where the gold standard has nothing",
            "is 0",
            "is 0.09, also in the patient-level mean",
            "emptygold",
        ),
        Difference(
            "patient level of a field",
            "is over the records where the gold standard or the system has the field",
            "is over the records where the gold standard has it",
            "patients",
        ),
        Difference(
            "P, R and F of a record",
            "are averaged as they are",
            "are rounded to four decimals first",
            "rounding",
        ),
        Difference(
            "one fragment, or several with the same tokens",
            "are different phrases",
            "are the same phrase",
            "disc_same_tokens",
        ),
        Difference(
            "tokens beyond the end of a line",
            "an error",
            "are not there",
            "beyond_tok",
        ),
        Difference(
            "fragments that end before they begin, or overlap",
            "an error",
            "have no token; have each token once",
            "reversed",
        ),
        Difference(
            "records that only the system has",
            "are false positives",
            "do not count",
            "extra",
        ),
        Difference(
            "records whose names are not numbers",
            "count",
            "do not count",
            "nondigit",
        ),
    ),
    count=count,
    finish=finish,
    grids=(
        *_grids("", ""),
        *(
            grid
            for letter in SETS
            for grid in _grids(f"set_{letter.lower()}_", f"Evaluation set {letter}. ")
        ),
        *_grids("sets_mean_", "Mean of the evaluation sets. "),
    ),
    homepage="https://www.i2b2.org/NLP/Medication/",
    citation="""\
@article{uzuner-etal-2010-extracting,
    title = "Extracting medication information from clinical text",
    author = "Uzuner, {\\\"O}zlem and Solti, Imre and Cadag, Eithon",
    journal = "Journal of the American Medical Informatics Association",
    volume = "17",
    number = "5",
    pages = "514--518",
    doi = "10.1136/jamia.2010.003947",
    year = "2010",
}""",
    shown_per_document=tuple(
        f"{match}_{direction}_system_f1"
        for direction in ("horizontal", "vertical_all")
        for match in MATCHES
    ),
    outcomes=list_outcomes,
    headline=(
        "exact_horizontal_system_f1",
        "inexact_horizontal_system_f1",
        "exact_horizontal_patient_f1",
        "inexact_horizontal_patient_f1",
        "exact_vertical_all_system_f1",
        "inexact_vertical_all_system_f1",
    ),
)
