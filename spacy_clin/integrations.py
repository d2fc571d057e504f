"""What spaCy needs to know of each challenge; everything else here works from it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from spacy.tokens import Doc

from clineval.challenges import clefehealth13_task1, semeval15_task14
from clineval.errors import InputError
from clineval.formats.records import read_records
from clineval.mentions.mention import Document, Mention
from clineval.mentions.slots import Slot
from spacy_clin import acronyms, medications, mention_files, presets, sections
from spacy_clin.documents import Documents, FileSource
from spacy_clin.getters import MentionGetter, reads_all
from spacy_clin.mentions import KEY as MENTIONS
from spacy_clin.mentions import set_mentions


class Annotation(Protocol):
    """How one kind of annotation is kept on Docs, read from them, and kept in files."""

    @property
    def key(self) -> str:
        """The span group that holds it."""
        ...

    def find_getter(self, given: Any, where: str) -> Any:
        """The getter that a configuration asks for."""
        ...

    def read(self, getter: Any, documents: Documents, config: str) -> Any:
        """What the evaluate module takes."""
        ...

    def keep(self, getter: Any, doc: Doc, name: str) -> None:
        """Write what a getter reads to the span group."""
        ...

    def read_files(self, source: FileSource) -> Iterator[Doc]:
        """Docs of files, with the span group."""
        ...

    def write_files(
        self,
        getter: Any,
        documents: Documents,
        path: Path,
        format: str | None,  # noqa: A002
    ) -> None:
        """Files of what a getter reads."""
        ...


@dataclass(frozen=True, slots=True)
class MentionAnnotation:
    """Mentions with slots.

    Args:
        slots: configuration to the slots that are read.
        format: the challenge's own format.
        key: the span group.
        find: finds the getter.
        as_input: makes the module's input of what was read; None to take it as it is.
        scored: configuration to the slots that scores depend on; None for all that are read.
    """

    slots: Callable[[str], Sequence[Slot]]
    format: str
    key: str = MENTIONS
    find: Callable[[Any, str], MentionGetter] = presets.find_getter
    as_input: Callable[[Documents, Any], Any] | None = None
    scored: Callable[[str], Sequence[Slot]] | None = None

    def find_scored(self, config: str) -> Sequence[Slot]:
        """The slots that the scores of a configuration depend on."""
        return (self.scored or self.slots)(config)

    def find_getter(self, given: Any, where: str) -> MentionGetter:
        """The getter that a configuration asks for."""
        return self.find(given, where)

    def read(self, getter: MentionGetter, documents: Documents, config: str) -> Any:
        """What the evaluate module takes."""
        records = getter.read(
            documents.docs,
            self.slots(config),
            scored=self.find_scored(config),
            side=documents.side,
        )
        return records if self.as_input is None else self.as_input(documents, records)

    def read_side(self, getter: MentionGetter, documents: Documents, config: str) -> Any:
        """What the module's core takes: columns, which need no dicts of all mentions at once."""
        if self.as_input is not None:
            return self.read(getter, documents, config)
        slots = self.slots(config)
        found = getter.find(
            documents.docs, slots, scored=self.find_scored(config), side=documents.side
        )
        return read_records(found, slots, side=documents.side, ignore_others=not reads_all(slots))

    def keep(self, getter: MentionGetter, doc: Doc, name: str) -> None:
        """Write what a getter reads to the span group."""
        records = getter.read_one(doc, self.slots("default"))
        set_mentions(doc, records, key=self.key, document=name)

    def read_files(self, source: FileSource) -> Iterator[Doc]:
        """Docs of files, with the span group."""
        return mention_files.make_docs(source, own=self.format, key=self.key)

    def write_files(
        self,
        getter: MentionGetter,
        documents: Documents,
        path: Path,
        format: str | None,  # noqa: A002
    ) -> None:
        """Files of what a getter reads."""
        slots = self.slots("default")
        records = getter.read(documents.docs, slots, side=documents.side)
        named = [
            Document(name, map(Mention.from_dict, mentions), doc.text)
            for doc, name, mentions in zip(documents.docs, documents.names, records, strict=True)
        ]
        if self.as_input is not None:  # lines, in which a document without any does not exist
            named = [document for document in named if document.mentions] or named
        mention_files.write(named, path, format or self.format)


@dataclass(frozen=True, slots=True)
class Integration:
    """One challenge on Docs.

    Args:
        challenge: its module name.
        annotation: the kind of annotation it scores.
        prefix: of the scores in the training table.
        short_names: key of the score to its name in the table, without the prefix. The table cuts
            names at 13 characters.
        takes_texts: the name of the option that takes the documents' texts, if there is one.
    """

    challenge: str
    annotation: Annotation
    prefix: str
    short_names: Mapping[str, str]
    takes_texts: str = ""


def _semeval15_slots(_: str) -> Sequence[Slot]:
    # of Task 1 too: repeats are told apart by their slots, as they are in files
    return semeval15_task14.SLOTS


def _semeval15_scored(config: str) -> Sequence[Slot]:
    return semeval15_task14.SLOTS[:1] if config == "task1" else semeval15_task14.SLOTS


def _clef_slots(config: str) -> Sequence[Slot]:
    alone = config == "task1a"
    return clefehealth13_task1.SPANS_ALONE if alone else clefehealth13_task1.SLOTS


def _acronym_slots(_: str) -> Sequence[Slot]:
    return acronyms.SLOTS


def _prf(kind: str, short: str) -> dict[str, str]:
    names = {"precision": "p", "recall": "r", "f1": "f"}
    return {f"{kind}_{name}": f"{short}_{letter}" for name, letter in names.items()}


INTEGRATIONS = {
    known.challenge: known
    for known in (
        Integration(
            "semeval15_task14",
            MentionAnnotation(_semeval15_slots, "pipe", scored=_semeval15_scored),
            "s15",
            {
                **_prf("strict", "strict"),
                **_prf("relaxed", "relax"),
                **_prf("span", "span"),
                "accuracy": "acc",
                "weighted_accuracy": "wa",
                "f1_x_accuracy": "f_x_acc",
                "f1_x_weighted_accuracy": "f_x_wa",
            },
            "texts",
        ),
        Integration(
            "clefehealth13_task1",
            MentionAnnotation(_clef_slots, "clef"),
            "c13t1",
            {
                **_prf("exact", "exact"),
                **_prf("overlap", "over"),
                "strict_accuracy": "acc",
                "relaxed_accuracy": "acc_r",
            },
        ),
        Integration(
            "clefehealth13_task2",
            MentionAnnotation(
                _acronym_slots, "clef", acronyms.KEY, acronyms.find_getter, acronyms.as_lines
            ),
            "c13t2",
            {"strict_accuracy": "acc", "relaxed_accuracy": "acc_r"},
        ),
        Integration(
            "i2b2_2009_medication",
            medications.MedicationAnnotation(),
            "i09",
            {
                **_prf("exact_horizontal_system", "ex"),
                **_prf("inexact_horizontal_system", "in"),
                "exact_horizontal_patient_f1": "ex_pat_f",
                "inexact_horizontal_patient_f1": "in_pat_f",
                **{
                    f"exact_vertical_{name}_system_f1": f"{name[:3]}_f"
                    for name in ("medication", "dosage", "mode", "frequency", "duration", "reason")
                },
            },
            "records",
        ),
        Integration("clinais23_b2", sections.SectionAnnotation(), "ais", {"b2": "b2", "b": "b"}),
    )
}


def find_integration(challenge: str) -> Integration:
    """Look up what is known of a challenge.

    Raises:
        InputError: it has no side in spaCy; the message lists those that have.
    """
    if challenge not in INTEGRATIONS:
        raise InputError(
            f"no scores of Docs for this challenge, expected one of {', '.join(INTEGRATIONS)}"
        )
    return INTEGRATIONS[challenge]
