"""A kind of annotation, such as spans or classes: the one object that every face asks.

Each protocol has a kind (:attr:`~clineval.results.protocol.Protocol.kind`), with the facts that
differ between challenges: the slot of classes, the unit of offsets, the slots of mentions. If a
kind lacks a face (:data:`FACES`), it gives the reason in a sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple, TypeAlias, TypeVar
from typing import Protocol as Structure

import numpy as np

from clineval.base.arrays import FloatArray
from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.results.columns import Sides
from clineval.results.slots import Slot
from clineval.results.task import ClassSlot

if TYPE_CHECKING:  # only some faces use them
    from clineval.results.item import Item
    from clineval.results.listed import Listed
    from clineval.results.scheme import Scheme
    from clineval.results.sources import Source as SourceDocument
    from clineval.results.tagged import Annotation

Offsets = Literal["characters", "tokens", ""]
Form: TypeAlias = "type | list[Form] | Mapping[str, Form]"
"""The type of a document in ``datasets``, built from ``str``, ``int`` and ``float``."""
FACES: Mapping[str, str] = {
    "convert": "`convert`",
    "read": "`clineval.read`, `write`",
    "adjudicate": "`adjudicate`",
    "answers": "answers of language models: `--answers`, rewards, Inspect, lm-eval",
    "docs": "spaCy: `score_docs`, `spacy train`",
    "bigbio": "`from_bigbio`",
    "trainer": "`compute_metrics_for`",
}
"""The faces that some kinds lack; all kinds have the other faces."""
Given_co = TypeVar("Given_co", covariant=True)
T = TypeVar("T")


class Gathered(NamedTuple):
    """The items of an answer without places in the note, as a document of the challenge.

    Args:
        document: the document, as the challenge takes it.
        invalid: position of an item, and the name of its invalid field.
    """

    document: object
    invalid: Sequence[tuple[int, str]] = ()


def gather_all(items: Sequence[object]) -> Gathered:
    """Return the items unchanged."""
    return Gathered(list(items))


@dataclass(frozen=True)
class PlainAnswers:
    """How language models write annotations without places in the note.

    Args:
        lists: names under which an object can hold the list of items.
        marks: fields; an item has at least one of them.
        words: whether a string can be an item.
        alone: strings that are a whole answer without JSON; case is ignored.
        keys: names of fields to their names in answers, if these differ.
        gather: turns the items into a document.
        objects: whether any object is an item, unless it holds the list under one of the names.
    """

    lists: tuple[str, ...]
    marks: tuple[str, ...]
    words: bool = False
    alone: frozenset[str] = frozenset()
    keys: Mapping[str, str] = field(default_factory=dict)
    gather: Callable[[Sequence[object]], Gathered] = gather_all
    objects: bool = False

    def takes(self, item: object) -> bool:
        """Return whether something can be an item: an object, or a string if strings are items."""
        return isinstance(item, Mapping) or (self.words and isinstance(item, str))


class AnswerWays(Structure[Given_co]):
    """The ways to read answers of language models; a kind chooses one of them."""

    def quoted(self, *, worded: bool = True) -> Given_co:
        """Read mentions, each with a quote of the note.

        Args:
            worded: whether words can be compared instead of places.
        """
        ...

    def nested(self, scheme: Scheme, /) -> Given_co:
        """Read events with quotes."""
        ...

    def related(self, labels: Sequence[str], /, *, given: bool = False) -> Given_co:
        """Read mentions with quotes, and relations of some labels, or any, between them.

        ``given`` also accepts the ids of given mentions as ends.
        """
        ...

    def plain(self, form: PlainAnswers, /) -> Given_co:
        """Read annotations without places in the note."""
        ...


class DocWays(Structure[Given_co]):
    """The ways to hold annotation in spaCy's Docs; a kind chooses one of them."""

    def spans(self) -> Given_co:
        """Hold mentions, and relations between them, in a span group."""
        ...

    def given_spans(self) -> Given_co:
        """Hold mentions whose spans are given, in a span group."""
        ...

    def entries(self) -> Given_co:
        """Hold entries with fields that are spans."""
        ...

    def sections(self) -> Given_co:
        """Hold sections, which are spans."""
        ...

    def classes(self) -> Given_co:
        """Hold classes of the document in ``doc.cats``."""
        ...


class TrainerWays(Structure[Given_co]):
    """The ways to score outputs of a model in training; a kind chooses one of them."""

    def tagged(self) -> Given_co:
        """Score the tags of tokens."""
        ...

    def classified(self) -> Given_co:
        """Score the classes of documents."""
        ...


class DocumentForm(Structure):
    """How documents without mentions are written."""

    def list_files(self, source: Source, /) -> Sequence[Listed]:
        """List the documents of files."""
        ...

    def as_dict(self, document: Listed, /) -> dict[str, object]:
        """Return a document as a line of JSON Lines, as a dict."""
        ...

    def open_document(self, given: object, where: str, /) -> Listed:
        """Check a dict, and reverse :meth:`as_dict`."""
        ...

    def write(self, documents: Sequence[Listed], path: Path, /) -> int:
        """Write documents in the format of the file's name; return the number of annotations."""
        ...


class ItemGroup(NamedTuple):
    """Annotations of one sort, such as mentions or relations, for a summary of files.

    Args:
        name: the name of the annotations, in plural.
        sides: the gold and the predicted annotations.
        label: the slot of labels, which a summary counts; empty for none. Of all other slots it
            shows no values.
    """

    name: str
    sides: Sides
    label: str


@dataclass(frozen=True)
class Kind:
    """A kind of annotation.

    Args:
        class_slot: the slot of the class of an annotation; None if there is no such slot.
        offsets: the unit of offsets; empty if annotations have no offsets.
        without: name of a lacking face to a sentence with the reason, besides :attr:`never`.

    Examples:
        >>> from clineval import LabelledSpans
        >>> kind = LabelledSpans(("WOUND",)).kind
        >>> kind.name, kind.items, kind.offsets, kind.class_slot.name
        ('spans', 'mentions', 'characters', 'label')
    """

    name: ClassVar[str] = "annotations"
    """Its name in tables and manuals."""
    items: ClassVar[str] = "annotations"
    """The name of the annotations in messages."""
    never: ClassVar[Mapping[str, str]] = {}
    """Name of a face to a sentence that says why all challenges of the kind lack it."""
    hub_task: ClassVar[str] = "token-classification"
    """The Hub's name of the task."""
    in_columns: ClassVar[bool] = False
    """Whether documents in tables are lists of mentions and are read as columns."""
    with_notes: ClassVar[bool] = False
    """Whether files of annotations may hold the notes' texts, to which offsets refer."""
    quotes: ClassVar[bool] = False
    """Whether answers of language models quote the note."""
    source_parts: ClassVar[frozenset[str]] = frozenset({"entities"})
    """The parts that :meth:`of_sources` reads: ``entities``, ``relations``, ``events``,
    ``labels``."""
    no_value: ClassVar[str | None] = None
    """The value of a slot that stands for no answer in agreement; None if each value is one."""
    structure: ClassVar[frozenset[str]] = frozenset()
    """Slots that say where annotations belong; annotators do not choose their values."""
    given: ClassVar[bool] = False
    """Whether systems get the spans, so that only codes are scored."""

    words: ClassVar[bool] = False
    """Whether a word without JSON can be a whole document."""

    class_slot: ClassSlot | None = None
    offsets: Offsets = ""
    _: KW_ONLY
    without: Mapping[str, str] = field(default_factory=dict)

    @property
    def lacks(self) -> Mapping[str, str]:
        """Name of a lacking face to a sentence with the reason."""
        return {**self.never, **self.without}

    def check(self, face: str, problem: str, remedy: str = "") -> None:
        """Reject a face that the kind lacks.

        Args:
            face: one of :data:`FACES`.
            problem: the task that is not possible. The message begins with it, followed by the
                kind's own sentence.
            remedy: the advice.

        Raises:
            InputError: the kind lacks the face; the message gives the reason.
        """
        if reason := self.lacks.get(face):
            raise InputError(f"{problem}: {reason}", remedy=remedy)

    def slots(self, _config: str, /) -> Sequence[Slot]:
        """Return the slots of mentions; empty for kinds without mentions."""
        return ()

    @property
    def free(self) -> bool:
        """Whether mentions can have slots with any other name."""
        return False

    @property
    def triggers(self) -> tuple[str, ...]:
        """The classes of mentions that are triggers; brat writes events in their own lines."""
        return ()

    @property
    def noted(self) -> str:
        """The slot that brat's files hold as a note; empty if there is none."""
        return ""

    @property
    def right(self) -> str:
        """The part in which annotations must agree to be right in ``errors``; empty for all."""
        return ""

    def forms(self) -> Sequence[Form]:
        """List the forms of documents in the evaluate module, besides strings."""
        return (str,)

    def answer(self, _ways: AnswerWays[T], /) -> T:
        """Choose how answers of language models are read."""
        raise NotImplementedError(f"{self.name} do not define how models answer")

    def ask(self, _config: str, /) -> Sequence[str]:
        """Return lines that tell a language model how to answer."""
        raise NotImplementedError(f"{self.name} do not define how models answer")

    def hold(self, _ways: DocWays[T], /) -> T:
        """Choose how Docs hold the annotation."""
        raise NotImplementedError(f"{self.name} do not define how Docs hold them")

    def train(self, ways: TrainerWays[T], /) -> T:
        """Choose how outputs of a model in training are scored."""
        return ways.tagged()

    def of_cats(self, _cats: Mapping[str, float], /) -> object:
        """Build a document from the scores of spaCy's text categorizer."""
        raise NotImplementedError(f"{self.name} do not define their categories")

    def share_outputs(self, outputs: FloatArray, _labels: Sequence[str], /) -> FloatArray:
        """Return the probabilities of a classifier's outputs: the logistic function of each."""
        shares: FloatArray = 1 / (1 + np.exp(-np.clip(outputs, -500, 500)))
        return shares

    def as_cats(self, _document: object, /) -> dict[str, float]:
        """Return the categories of a document for ``doc.cats``."""
        raise NotImplementedError(f"{self.name} do not define their categories")

    def build(self, _annotations: Sequence[Annotation], _text: str, /) -> object:
        """Build a document from tagged spans of its text."""
        raise NotImplementedError(f"{self.name} do not define how tags become documents")

    def of_sources(self, _sources: Sequence[SourceDocument], /) -> list[object]:
        """Build documents from documents of another schema."""
        raise NotImplementedError(f"{self.name} do not define how other schemas are read")

    def group_items(self, _corpus: object, sides: Sides, /) -> Sequence[ItemGroup]:
        """Return the annotations of a corpus by their sort; ``sides`` as for :meth:`list_items`."""
        return [ItemGroup(self.items, sides, self.class_slot.name if self.class_slot else "")]

    def list_items(
        self, _corpus: object, _sides: Sides, /
    ) -> tuple[Sequence[Item], Sequence[Item]]:
        """List the gold and the predicted annotations of a corpus as items, in their order.

        ``sides`` come from :meth:`~clineval.results.protocol.Protocol.sides`.
        """
        raise NotImplementedError(f"{self.items} have no items for a rule")
