"""Classes of a user's own scheme: questions and classes that an option lists, or the data show."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

from clineval.base.errors import InputError, shown
from clineval.base.files import is_file
from clineval.base.strict_json import expect_json
from clineval.formats.class_tables import PLAIN, Headings
from clineval.formats.files import read_text
from clineval.kinds.classes.areas import ClassAreas
from clineval.kinds.classes.evidence import check_offsets
from clineval.kinds.classes.evidence_scores import (
    EVIDENCE_SCORES,
    find_differing,
    have_evidence,
    leave_out_spans,
    list_evidence,
    split_spans,
)
from clineval.kinds.classes.found_measures import RESERVED, FoundClassScores, share_keys
from clineval.kinds.classes.parts import find_parts
from clineval.kinds.classes.probabilities import ClassCorpus, Decision, join_classes
from clineval.kinds.classes.scheme import ANSWER, EVIDENCE, NO_SCHEME, QUESTION, Scheme
from clineval.kinds.mentions.columns import Side
from clineval.kinds.mentions.rows import Rows
from clineval.kinds.records.corpus import RecordCorpus
from clineval.kinds.records.fields import Field
from clineval.protocols.classes import Classes, ClassPairing
from clineval.protocols.own_labels import parse_names
from clineval.protocols.thresholds import FROM, decide
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.columns import Sides
from clineval.results.kind import ItemGroup
from clineval.results.match import Match
from clineval.results.measures import Measures

_WHERE, _TWO = "classes", 2
_EXPECTED = 'such as {"smoking": ["past", "current"], "sex": ["female", "male"]}'


@dataclass(frozen=True, slots=True, eq=False)
class OwnCorpus(ClassCorpus):
    """Gold and predicted answers of the same documents.

    Args:
        scheme: the questions and their classes.
        given: those that the user gives.
    """

    scheme: Scheme = NO_SCHEME
    given: Scheme = NO_SCHEME

    @property
    def fields(self) -> Sequence[Field]:
        """The question and its answer, for a page."""
        return self.scheme.fields if self.scheme.values else ()

    @property
    def words(self) -> Collection[str]:
        """The names of questions and classes that only the data show."""
        asked = () if self.scheme.alone else self.scheme.questions
        return {*self.scheme.values, *asked} - {*self.given.values, *self.given.questions}


@dataclass(frozen=True)
class OwnClasses(Classes):
    """Classes of a scheme of the user's own, which may have no questions yet.

    Args:
        own: the scheme; it is not checked again.
        headings: the names of columns and keys.
    """

    own: Scheme = NO_SCHEME
    headings: Headings = PLAIN

    @classmethod
    def of(cls, scheme: Scheme, positive: str = "", headings: Headings = PLAIN) -> OwnClasses:
        """Return the protocol for a scheme, with one of its classes or none as the positive one."""
        return cls(
            scheme.values,
            scheme.questions,
            several=scheme.several,
            probabilities=True,
            positive=positive,
            own=replace(scheme, probabilities=True),
            headings=headings,
        )

    def __post_init__(self) -> None:
        """Accept any scheme."""

    @property
    def scheme(self) -> Scheme:
        """The questions and their classes."""
        return self.own

    @property
    def row(self) -> str:
        """The field by whose values a page breaks statistics down."""
        return ANSWER if self.scheme.is_open else super().row

    @property
    def measures(self) -> Measures:
        """The scores of any scheme: those that have counts."""
        return Measures.of(FoundClassScores(), ClassAreas(), *EVIDENCE_SCORES)

    def list_matches(
        self, block: RecordCorpus, pairing: ClassPairing, setup: Setup, /
    ) -> Mapping[str, Rows]:
        """Return the rows of answers and questions, and of the evidence of answers."""
        matches = super().list_matches(block, pairing, setup)
        if not any(have_evidence(block.sides)):
            return matches
        return {**matches, **list_evidence(block, self._number_answers(block))}

    def widen(
        self, corpus: RecordCorpus, matches: Mapping[str, Match], _setup: Setup, /
    ) -> Mapping[str, Match]:
        """Call equal answers with different evidence errors of their own kind."""
        if not all(have_evidence(corpus.sides)):
            return matches
        match = matches[QUESTION]
        differing = find_differing(corpus.sides, match, self.scheme.slot)
        return {**matches, QUESTION: replace(match, reasons={EVIDENCE: differing})}

    def sides(self, corpus: RecordCorpus, _setup: Setup, /) -> Sides:
        """Return the answers of both sides, without their evidence."""
        return leave_out_spans(corpus.sides)

    def group_items(self, corpus: RecordCorpus, setup: Setup, /) -> Sequence[ItemGroup]:
        """Return the answers of both sides, and the spans of evidence."""
        groups = super().group_items(corpus, setup)
        if not any(have_evidence(corpus.sides)):
            return groups
        gold, prediction = (split_spans(side, {}) for side in corpus.sides)
        return [*groups, ItemGroup("spans of evidence", (gold, prediction), "")]

    def decide(self, setup: Setup, /) -> Decision:
        """Return how probabilities become answers; of two classes, the positive has a threshold."""
        positive = self.positive if self.needs_threshold and not self.several else ""
        return decide(self.own, positive, setup["threshold"], setup[FROM], self.headings)

    @property
    def needs_threshold(self) -> bool:
        """Whether a threshold decides about answers, and not the likeliest class."""
        return self.several or bool(self.positive and len(self.values) == _TWO)


def join_own(gold: Side, predicted: Side, scheme: Scheme, given: Scheme) -> OwnCorpus:
    """Join the answers of both sides, and the probabilities of the predicted ones."""
    found = join_classes(gold, predicted, scheme)
    for side, strict in zip(found.sides, (True, False), strict=True):
        check_offsets(side, found.texts, found.documents, strict=strict)
    held = {each.name: getattr(found, each.name) for each in fields(ClassCorpus)}
    return OwnCorpus(**held, scheme=scheme, given=given)


def parse_classes(classes: object) -> Scheme | None:
    """Parse the classes that exist, a list or a file of lines or JSON; or those of each question.

    Raises:
        InputError: the value is invalid, or two scores would have the same key.

    Examples:
        >>> parse_classes("past,current").values
        ('past', 'current')
        >>> parse_classes({"smoking": ["no", "past"], "sex": ["f", "m"]}).values_of("sex")
        ('f', 'm')
    """
    if classes is None or isinstance(classes, Scheme):
        return classes
    given = _read(classes)
    if not isinstance(given, Mapping):
        scheme = Scheme(parse_names(given, _WHERE, "class", "Rename it"), (), word=ANSWER)
        check_keys(scheme)
        return scheme
    names = parse_names([*given], "questions", QUESTION)
    each = tuple(_parse_classes_of(given[name]) for name in names)
    every = parse_names(list(dict.fromkeys(value for of in each for value in of)), _WHERE, "class")
    scheme = Scheme(every, names, each=each, word=ANSWER)
    check_keys(scheme)
    return scheme


def _read(classes: object) -> object:
    """Read a file of classes, if the value is its path."""
    listed = [*classes] if isinstance(classes, (list, tuple)) else [classes]
    [path] = listed if len(listed) == 1 else [None]
    if not isinstance(path, (str, Path)) or not (isinstance(path, Path) or is_file(path)):
        return classes
    text = read_text(str(path))
    if str(path).endswith(".json"):
        return expect_json(text, "a list of classes, or a dict of questions to classes", _WHERE)
    return [line.strip() for line in text.splitlines() if line.strip()]


def _parse_classes_of(classes: object) -> tuple[str, ...]:
    if not isinstance(classes, (list, tuple)):
        problem = f"expected a list of classes for each question, {_EXPECTED}, got {shown(classes)}"
        raise InputError(problem, where=_WHERE)
    return parse_names(classes, _WHERE, "class")


def check_keys(scheme: Scheme) -> None:
    """Reject names of questions and classes that would give two scores the same key.

    Raises:
        InputError: two scores would have the same key.
    """
    questions = scheme.questions if len(scheme.questions) > 1 else ()
    for names, where in ((scheme.values, _WHERE), (questions, "questions")):
        parse_names(names, where, where.removesuffix("s" if where == "questions" else "es"))
        for name in names:
            if label_key(name) in RESERVED:
                problem = f"{label_key(name)!r} is reserved for scores of all classes"
                raise InputError(problem, where=where, remedy="Rename it")
    keys = [*map(label_key, scheme.values)]
    each = {label_key(q): [*map(label_key, scheme.values_of(q))] for q in questions}
    counts = ["micro", *keys, *(f"{q}_{key}" for q, of in each.items() for key in ("micro", *of))]
    columns = [f"{key}_{verdict}" for key in counts for verdict in ("tp", "fp", "fn")]
    columns += ["questions", *(f"{key}_questions" for key in each)]
    found = find_parts(columns)
    if share_keys(columns) or (found.classes, found.each) != (keys, each):
        problem = "the names of a question and of a class give two scores the same name"
        raise InputError(problem, where="questions", remedy="Rename one of them")
