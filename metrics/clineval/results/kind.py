"""A kind of annotation, such as spans or classes: the one object that every face asks.

A protocol has one (:attr:`~clineval.results.protocol.Protocol.kind`), with what differs between
challenges: the slot of classes, what offsets count, the slots of mentions. What a kind cannot do in
a face, it says in a sentence, by the name of the face (:data:`FACES`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import ClassVar, Literal, NamedTuple, TypeAlias, TypeVar
from typing import Protocol as Structure

from clineval.base.errors import InputError
from clineval.base.files import Source
from clineval.results.columns import Sides
from clineval.results.item import Item
from clineval.results.listed import Listed
from clineval.results.scheme import Scheme
from clineval.results.slots import Slot
from clineval.results.sources import Source as SourceDocument
from clineval.results.tagged import Annotation
from clineval.results.task import ClassSlot

Offsets = Literal["characters", "tokens", ""]
Form: TypeAlias = "type | list[Form] | Mapping[str, Form]"
"""What a document can be, of ``str``, ``int`` and ``float``, as ``datasets`` has it."""
FACES: Mapping[str, str] = {
    "convert": "`convert`",
    "read": "`clineval.read`, `write`",
    "adjudicate": "`adjudicate`",
    "answers": "answers of language models: `--answers`, rewards, Inspect, lm-eval",
    "docs": "spaCy: `score_docs`, `spacy train`",
    "bigbio": "`from_bigbio`",
    "trainer": "`compute_metrics_for`",
}
"""The faces that not every kind has; all kinds have the others."""
Given_co = TypeVar("Given_co", covariant=True)
T = TypeVar("T")


class Gathered(NamedTuple):
    """The items of an answer that has no place in the note, as the challenge takes a document.

    Args:
        document: what the challenge takes.
        invalid: position of an item, and the name of what it says and cannot say.
    """

    document: object
    invalid: Sequence[tuple[int, str]] = ()


def gather_all(items: Sequence[object]) -> Gathered:
    """Take the items as they are."""
    return Gathered(list(items))


@dataclass(frozen=True)
class PlainAnswers:
    """How language models write what has no place in the note.

    Args:
        lists: names under which an object can hold the list of items.
        marks: fields of which an item has one at least.
        words: whether a string is an item.
        alone: strings that are a whole answer, without case; what is in no JSON otherwise is none.
        keys: names of fields to what answers call them, where that is something else.
        gather: makes of the items what the challenge takes.
    """

    lists: tuple[str, ...]
    marks: tuple[str, ...]
    words: bool = False
    alone: frozenset[str] = frozenset()
    keys: Mapping[str, str] = field(default_factory=dict)
    gather: Callable[[Sequence[object]], Gathered] = gather_all

    def takes(self, item: object) -> bool:
        """Tell whether something can be an item: an object, or a string where these are."""
        return isinstance(item, Mapping) or (self.words and isinstance(item, str))


class AnswerWays(Structure[Given_co]):
    """The ways in which answers of language models are read, of which a kind chooses one."""

    def quoted(self) -> Given_co:
        """Read mentions, each with a quote of the note."""
        ...

    def nested(self, scheme: Scheme, /) -> Given_co:
        """Read events with quotes."""
        ...

    def related(self, labels: Sequence[str], /) -> Given_co:
        """Read mentions with quotes, and relations of some labels, or any, between them."""
        ...

    def plain(self, form: PlainAnswers, /) -> Given_co:
        """Read what has no place in the note."""
        ...


class DocWays(Structure[Given_co]):
    """The ways in which spaCy's Docs hold annotation, of which a kind chooses one."""

    def spans(self) -> Given_co:
        """Hold mentions, and relations between them, in a span group."""
        ...

    def given_spans(self) -> Given_co:
        """Hold mentions whose spans are given, in a span group."""
        ...

    def entries(self) -> Given_co:
        """Hold entries, whose fields are spans."""
        ...

    def sections(self) -> Given_co:
        """Hold sections, which are spans."""
        ...

    def classes(self) -> Given_co:
        """Hold classes of the document in ``doc.cats``."""
        ...


class TrainerWays(Structure[Given_co]):
    """The ways in which outputs of a model in training are scored, of which a kind chooses one."""

    def tagged(self) -> Given_co:
        """Score the tags of tokens."""
        ...

    def classified(self) -> Given_co:
        """Score the classes of documents."""
        ...


class DocumentForm(Structure):
    """How documents are written whose annotations are no mentions."""

    def list_files(self, source: Source, /) -> Sequence[Listed]:
        """List the documents of files."""
        ...

    def as_dict(self, document: Listed, /) -> dict[str, object]:
        """Return a document as JSON Lines have it."""
        ...

    def open_document(self, given: object, where: str, /) -> Listed:
        """Reverse :meth:`as_dict`, judged."""
        ...

    def write(self, documents: Sequence[Listed], path: Path, /) -> int:
        """Write documents as the name of the file says; returns the number of annotations."""
        ...


@dataclass(frozen=True)
class Kind:
    """A kind of annotation.

    Args:
        class_slot: the slot that says what an annotation is; None if there is no such slot.
        offsets: what offsets count; empty if annotations have none.
        without: name of a face to a sentence that says why there is none, besides :attr:`never`.

    Examples:
        >>> from clineval import LabelledSpans
        >>> kind = LabelledSpans(("WOUND",)).kind
        >>> kind.name, kind.items, kind.offsets, kind.class_slot.name
        ('spans', 'mentions', 'characters', 'label')
    """

    name: ClassVar[str] = "annotations"
    """As tables and manuals call it."""
    items: ClassVar[str] = "annotations"
    """What messages call the annotations."""
    never: ClassVar[Mapping[str, str]] = {}
    """Name of a face to a sentence that says why no challenge of the kind has it."""
    hub_task: ClassVar[str] = "token-classification"
    """The Hub's name of the task."""
    in_columns: ClassVar[bool] = False
    """Whether documents in tables are lists of mentions, which are read as columns."""
    with_notes: ClassVar[bool] = False
    """Whether files of annotations may hold the notes' texts, in which offsets count."""
    quotes: ClassVar[bool] = False
    """Whether answers of language models quote the note."""
    source_parts: ClassVar[frozenset[str]] = frozenset({"entities"})
    """What :meth:`of_sources` looks at: ``entities``, ``relations``, ``events``, ``labels``."""
    given: ClassVar[bool] = False
    """Whether the spans are given to the systems, so that only codes are scored."""

    words: ClassVar[bool] = False
    """Whether a word can be a whole document, and need not be JSON."""

    class_slot: ClassSlot | None = None
    offsets: Offsets = ""
    _: KW_ONLY
    without: Mapping[str, str] = field(default_factory=dict)

    @property
    def lacks(self) -> Mapping[str, str]:
        """Name of a face to a sentence that says why there is none."""
        return {**self.never, **self.without}

    def check(self, face: str, problem: str, remedy: str = "") -> None:
        """Refuse a face that the kind does not have.

        Args:
            face: one of :data:`FACES`.
            problem: what cannot be done, before the kind's own sentence.
            remedy: what to do instead.

        Raises:
            InputError: says what cannot be done, and why.
        """
        if reason := self.lacks.get(face):
            raise InputError(f"{problem}: {reason}", remedy=remedy)

    def slots(self, _config: str, /) -> Sequence[Slot]:
        """Return the slots of mentions; none for others."""
        return ()

    @property
    def free(self) -> bool:
        """Whether mentions can have slots of any other name."""
        return False

    @property
    def triggers(self) -> tuple[str, ...]:
        """The classes of mentions that are triggers of events, which brat has lines for."""
        return ()

    @property
    def noted(self) -> str:
        """The slot that is a note in brat's files; empty for none."""
        return ""

    @property
    def right(self) -> str:
        """What annotations that count as right in ``errors`` have in common, where it is less."""
        return ""

    def forms(self) -> Sequence[Form]:
        """List what a document can be in the evaluate module, besides a string."""
        return (str,)

    def answer(self, _ways: AnswerWays[T], /) -> T:
        """Choose how answers of language models are read."""
        raise NotImplementedError(f"{self.name} say that models answer, and do not say how")

    def ask(self, _config: str, /) -> Sequence[str]:
        """Say, in lines, how a language model is to answer."""
        raise NotImplementedError(f"{self.name} say that models answer, and do not say how")

    def hold(self, _ways: DocWays[T], /) -> T:
        """Choose how Docs hold it."""
        raise NotImplementedError(f"{self.name} say that Docs hold them, and do not say how")

    def train(self, ways: TrainerWays[T], /) -> T:
        """Choose how outputs of a model in training are scored."""
        return ways.tagged()

    def of_cats(self, _cats: Mapping[str, float], /) -> object:
        """Make a document as the challenge takes it of what spaCy's categorizers say."""
        raise NotImplementedError(f"{self.name} say that categories hold them, and do not say how")

    def as_cats(self, _document: object, /) -> dict[str, float]:
        """Return the categories of a document as a challenge takes it."""
        raise NotImplementedError(f"{self.name} say that categories hold them, and do not say how")

    def build(self, _annotations: Sequence[Annotation], _text: str, /) -> object:
        """Make a document as the challenge takes it of tagged spans of its text."""
        raise NotImplementedError(f"{self.name} say that tags stand for them, and do not say how")

    def of_sources(self, _sources: Sequence[SourceDocument], /) -> list[object]:
        """Make documents as the challenge takes them of those of another schema."""
        raise NotImplementedError(f"{self.name} say that sources hold them, and do not say how")

    def list_items(
        self, _corpus: object, _sides: Sides, /
    ) -> tuple[Sequence[Item], Sequence[Item]]:
        """List the gold and the predicted annotations of a corpus for a rule, in their order.

        The sides are those of :meth:`~clineval.results.protocol.Protocol.sides`.
        """
        raise NotImplementedError(f"no rule compares {self.items}")
