"""Classes of documents whose questions and classes the data show, ready to be scored."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from warnings import catch_warnings, simplefilter

from clineval.base.errors import InputError, called, shown
from clineval.base.files import Source
from clineval.base.subjects import read_predictions, read_references
from clineval.formats.class_tables import ROWS, Headings
from clineval.formats.given.classes import ClassForm, read_classes
from clineval.formats.given.texts import with_texts
from clineval.kinds.classes.columns import SchemeSide
from clineval.kinds.classes.evidence_scores import leave_out_evidence, unite_evidence
from clineval.kinds.classes.found import OpenScheme, unite_schemes
from clineval.kinds.classes.kind import ClassKind
from clineval.kinds.classes.scheme import NO_SCHEME, Scheme
from clineval.kinds.mentions.columns import Side
from clineval.kinds.records.corpus import RecordCorpus
from clineval.protocols.classes import TEXTS, ClassPairing
from clineval.protocols.delegating import Chosen
from clineval.protocols.own_classes import (
    OwnClasses,
    OwnCorpus,
    check_keys,
    join_own,
    parse_classes,
)
from clineval.protocols.own_labels import list_in_signature
from clineval.protocols.thresholds import POSITIVE_CLASS, THRESHOLD_OF_CLASSES, THRESHOLDS
from clineval.results.averages import label_key
from clineval.results.challenge import Setup
from clineval.results.faces import Faces
from clineval.results.kind import Kind
from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.protocol import CountsT
from clineval.results.settings import Setting, declare_settings
from clineval.results.table_rows import TableRows

_OPEN = OwnClasses.of(NO_SCHEME)


def parse_headings(names: object) -> tuple[str, ...]:
    """Parse the headings of columns.

    Raises:
        InputError: a heading is not a word.
    """
    given = names.split(",") if isinstance(names, str) else names
    if given is None:
        return ()
    if not isinstance(given, (list, tuple)) or not all(isinstance(n, str) and n for n in given):
        raise InputError(f"expected headings of columns, got {shown(names)}", where="label_column")
    return tuple(given)


def parse_heading(name: object) -> str:
    """Parse the heading of a column.

    Raises:
        InputError: it is not a word.
    """
    if name is not None and not (isinstance(name, str) and name.strip()):
        raise InputError(f"expected the heading of a column, got {shown(name)}", where="id_column")
    return name or ""


def parse_positive(name: object) -> str:
    """Parse the positive class.

    Raises:
        InputError: it is not the name of a class.
    """
    if name is not None and not (isinstance(name, str) and label_key(name)):
        raise InputError(f"expected the name of a class, got {shown(name)}", where=_POSITIVE)
    return name or ""


_POSITIVE = "positive"
POSITIVE = Option(
    _POSITIVE,
    "The class whose precision, recall, F1 and specificity are the main scores, such as yes.",
    None,
    parse=parse_positive,
)
READING = (
    Option(
        "classes",
        "The classes that exist, separated by commas, or a file with one on each line, or a JSON "
        "file with the classes of each question; by default those of the gold standard.",
        None,
        "names",
        python="the classes that exist, as a list, as a dict from questions to lists, or as the "
        "path of a file with one on each line; if None, those of the gold standard.",
        parse=parse_classes,
    ),
    Option(
        "several",
        "A question can have several answers, or none; by default it can if the gold standard has "
        "lists of answers.",
        default=False,
        kind="flag",
    ),
    Option(
        "id_column",
        "The column of document names, or the key in JSON; by default `id` and similar names.",
        None,
        flag="--id-column",
        parse=parse_heading,
    ),
    Option(
        "label_column",
        "The columns of answers, or the keys in JSON, separated by commas; by default `label`, "
        "`class` or `answer`, or else all other columns of the gold standard, one for each "
        "question.",
        None,
        "names",
        flag="--label-column",
        parse=parse_headings,
    ),
)
"""The options that determine how files are read."""


class FoundClasses(Chosen[Side, RecordCorpus, ClassPairing]):
    """Classes of documents, scored as :class:`~clineval.protocols.classes.Classes`.

    ``clineval describe clinical_classes`` defines the questions and classes that the data show.

    Examples:
        >>> FoundClasses().measures.headline, FoundClasses().kind.name
        (('macro_f1', 'micro_f1', 'accuracy'), 'classes')
    """

    widest = OwnClasses.widest
    any_class = OwnClasses.any_class
    confused = OwnClasses.confused

    @property
    def kind(self) -> ClassKind:
        """Classes of any questions."""
        return _OPEN.kind

    @property
    def measures(self) -> Measures:
        """The scores of all questions and classes that have counts."""
        return _OPEN.measures

    @property
    def faces(self) -> Faces:
        """A page of answers; ``validate`` takes the options of reading."""
        named = "id_column", "label_column"
        return replace(_OPEN.faces, validation_options=READING, tables=named)

    @property
    def options(self) -> tuple[Option, ...]:
        """The classes, the columns, and the notes' texts."""
        return (*READING, POSITIVE, *THRESHOLDS, TEXTS)

    def inner(self, setup: Setup, /) -> OwnClasses:
        """Return the protocol for the scheme; it has no questions until these are known."""
        scheme: Scheme | None = setup["classes"]
        if scheme is None:
            return _OPEN
        positive = scheme.find(setup[_POSITIVE]) or ""
        return OwnClasses.of(scheme, positive, _find_headings(setup))

    def read(
        self, references: object, predictions: Sequence[object], setup: Setup, /
    ) -> tuple[Side, list[Side]]:
        """Read all sides; the references determine the questions and the classes."""
        gold = read_references(partial(self._read, setup), references)
        scheme = replace(gold.scheme, probabilities=True)
        read = partial(read_classes, scheme=scheme, headings=_find_headings(setup))
        return with_texts(gold, setup["texts"]), read_predictions(read, predictions)

    def unite_annotators(self, annotators: Sequence[object], setup: Setup, /) -> Setup:
        """Set the questions and classes to those of all annotators, unless the user lists them."""
        if setup["classes"] is not None:
            return setup
        with catch_warnings():  # they appear when the annotators are read to be compared
            simplefilter("ignore")
            sides = [self.read_side(source, "references", setup) for source in annotators]
        scheme = unite_schemes([side.scheme for side in sides])
        return setup.with_options(classes=scheme, several=scheme.several)

    def _read(self, setup: Setup, source: object, side: str) -> SchemeSide:
        return self.read_side(source, side, setup)

    def read_side(self, source: object, side: str, setup: Setup, /) -> SchemeSide:
        """Read a gold standard: tables, JSON Lines, lists of classes, or mappings to these."""
        headings = _find_headings(setup)
        scheme = OpenScheme(setup["several"], setup["classes"], bool(headings.answers))
        found = read_classes(source, side, scheme, headings)
        check_keys(found.scheme)
        return found

    def check(self, source: Source, setup: Setup, /) -> None:
        """Reject files that are not in the format."""
        self.read_side(source, "references", setup)

    def document_form(self, setup: Setup, /) -> ClassForm:
        """Return how files are written."""
        return ClassForm(setup["classes"], _find_headings(setup), setup["several"])

    def find_kind(self, references: object, setup: Setup, /) -> tuple[object, Kind]:
        """Read the references, which determine the classes that answers can have."""
        gold, _ = self.read(references, [], setup)
        return gold, OwnClasses.of(_find_scheme(gold)).kind

    def join(self, gold: Side, predicted: Side, setup: Setup, /) -> OwnCorpus:
        """Join the answers of both sides."""
        scheme, given = _find_scheme(gold), setup["classes"] or NO_SCHEME
        steps = self.inner(setup.with_options(classes=scheme))
        return join_own(gold, steps.decide(setup).apply(predicted), scheme, given)

    def resolve(self, corpus: RecordCorpus, setup: Setup, /) -> Setup:
        """Set the classes to those of the references, and find the positive one among them."""
        if not isinstance(corpus, OwnCorpus):
            return setup
        positive = corpus.scheme.find(setup[_POSITIVE])
        if setup[_POSITIVE] and positive is None:
            names = ", ".join(map(called, corpus.scheme.values))
            problem = f"no class is called {shown(setup[_POSITIVE])}, expected one of {names}"
            raise InputError(problem, where=_POSITIVE)
        return setup.with_options(classes=corpus.scheme, positive=positive or "")

    def table_rows(self, setup: Setup, /) -> TableRows | None:
        """Return how tables are written, unless all references determine the classes."""
        return None if self.whole(setup) else ROWS

    def whole(self, setup: Setup, /) -> str:
        """Return the reason why parts cannot be counted alone: all references give the classes."""
        if setup["classes"] is not None:
            return ""
        return "by default all references determine the classes. Pass classes=[...]"

    def alone(self, setup: Setup, /) -> str:
        """Return the same reason: other classes of the prediction would not count as wrong."""
        return self.whole(setup)

    own_settings = declare_settings(
        Setting(
            "classes",
            "the classes, after the name of their question if there are several",
            option="--classes",
            literal=False,
        ),
        Setting("questions", "the questions"),
        Setting("several", "`yes` if a question can have several answers"),
        POSITIVE_CLASS,
        THRESHOLD_OF_CLASSES,
    )

    def settings(self, setup: Setup, /) -> Mapping[str, str]:
        """Return the questions and the classes."""
        scheme: Scheme = setup["classes"]
        asked = scheme.questions if len(scheme.questions) > 1 else ()
        each = [f"{name} {value}" for name in asked for value in scheme.values_of(name)]
        questions = {"questions": list_in_signature(asked)} if asked else {}
        several = {"several": "yes"} if scheme.several else {}
        values = each if asked and scheme.each else scheme.values
        positive = {_POSITIVE: label_key(setup[_POSITIVE])} if setup[_POSITIVE] else {}
        steps = self.inner(setup)
        used = steps.needs_threshold
        threshold = {"threshold": repr(steps.decide(setup).threshold)} if used else {}
        named = {"classes": list_in_signature(values), **questions, **several}
        return {**named, **positive, **threshold}

    def unite(self, parts: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Add the counts of evidence to parts whose documents have none."""
        return unite_evidence(parts)

    def share(self, systems: Sequence[CountsT], /) -> Sequence[CountsT]:
        """Leave out the counts of evidence, unless all systems have some."""
        return leave_out_evidence(systems)

    def known_labels(self, setup: Setup, /) -> Collection[str]:
        """Return the classes that the user lists."""
        return setup["classes"].values if setup["classes"] else ()


def _find_scheme(gold: Side) -> Scheme:
    return gold.scheme if isinstance(gold, SchemeSide) else NO_SCHEME


def _find_headings(setup: Setup) -> Headings:
    return Headings(setup["id_column"], setup["label_column"], free=True)
