"""What spaCy needs to know of each challenge; everything else here works from it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from clineval.errors import InputError
from spacy.tokens import Doc

from spacy_clin import acronyms, presets, sections
from spacy_clin.getters import MentionGetter
from spacy_clin.mentions import KEY as MENTIONS, set_mentions

Reader = Callable[..., Any]


@dataclass(frozen=True, slots=True)
class Integration:
    """One challenge on Docs.

    Args:
        challenge: its module name.
        key: the span group that holds its annotation.
        find_getter: makes a getter of a configuration.
        read: reads documents with a getter as the evaluate module takes them; called with
            ``getter, docs, config, names, side``.
        read_files: makes Docs of files; called with ``path, make_doc, text, format,
            side``.
        keep: writes what a getter reads to the span group of a Doc; called with ``getter, doc,
            name``.
        write: writes files; called with ``getter, docs, path, names, side, format``.
        takes_texts: the name of the option that takes the documents' texts, if there is one.
        prefix: of the scores in the training table.
        short_names: key of the score to its name in the table, without the prefix. The table cuts
            names at 13 characters.
    """

    challenge: str
    key: str
    find_getter: Callable[..., Any]
    read: Reader
    read_files: Reader
    keep: Reader
    write: Reader
    prefix: str
    short_names: Mapping[str, str]
    takes_texts: str = ""


def _read_semeval15(
    getter: MentionGetter, docs: Sequence[Doc], config: str, names: Sequence[str], side: str  # noqa: ARG001
) -> Any:
    from clineval.challenges.semeval15_task14 import SLOTS

    return getter.read(docs, SLOTS, side=side)


def _read_clef_task1(
    getter: MentionGetter, docs: Sequence[Doc], config: str, names: Sequence[str], side: str  # noqa: ARG001
) -> Any:
    from clineval.challenges.clefehealth13_task1 import SLOTS, SPANS_ALONE

    return getter.read(docs, SPANS_ALONE if config == "task1a" else SLOTS, side=side)


def _read_clef_task2(
    getter: MentionGetter, docs: Sequence[Doc], config: str, names: Sequence[str], side: str  # noqa: ARG001
) -> str:
    return acronyms.as_lines(getter, docs, names, side)


def _read_acronyms(
    getter: MentionGetter, docs: Sequence[Doc], config: str, names: Sequence[str], side: str  # noqa: ARG001
) -> Any:
    return acronyms.read(getter, docs, side)


def _read_clinais(
    getter: sections.SectionGetter, docs: Sequence[Doc], config: str, names: Sequence[str], side: str  # noqa: ARG001
) -> Any:
    return getter.read(docs, names, side=side)


def _read_mention_files(  # noqa: PLR0913
    own: str, key: str, path: Path, make_doc: Any, text: Any, format: str | None, side: str  # noqa: A002, ARG001
) -> Any:
    from spacy_clin.files import read_mention_files

    return read_mention_files(path, make_doc, text, format, own=own, key=key)


def _keep_mentions(read: Reader, key: str, getter: Any, doc: Doc, name: str) -> None:
    [records] = read(getter, [doc], "default", [name], "predictions")
    set_mentions(doc, records, key=key, document=name)


def _keep_sections(getter: sections.SectionGetter, doc: Doc, name: str) -> None:
    [found] = getter.read_sections([doc])
    sections.set_sections(doc, found, document=name)


def _write_mentions(
    read: Reader, own: str, getter: Any, docs: Any, path: Path, names: Any, side: str, format: Any  # noqa: A002
) -> None:
    from spacy_clin.files import write_mention_files

    records = read(getter, docs, "default", names, side)
    write_mention_files(records, docs, path, names, format or own)


def _write_acronyms(
    getter: Any, docs: Any, path: Path, names: Any, side: str, format: Any  # noqa: A002
) -> None:
    from spacy_clin.files import write_mention_files

    records = acronyms.read(getter, docs, side)
    write_mention_files(records, docs, path, names, format or "clef")


def _prf(kind: str, short: str) -> dict[str, str]:
    names = {"precision": "p", "recall": "r", "f1": "f"}
    return {f"{kind}_{name}": f"{short}_{letter}" for name, letter in names.items()}


INTEGRATIONS = {
    known.challenge: known
    for known in (
        Integration(
            "semeval15_task14",
            MENTIONS,
            presets.find_getter,
            _read_semeval15,
            partial(_read_mention_files, "pipe", MENTIONS),
            partial(_keep_mentions, _read_semeval15, MENTIONS),
            partial(_write_mentions, _read_semeval15, "pipe"),
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
            MENTIONS,
            presets.find_getter,
            _read_clef_task1,
            partial(_read_mention_files, "clef", MENTIONS),
            partial(_keep_mentions, _read_clef_task1, MENTIONS),
            partial(_write_mentions, _read_clef_task1, "clef"),
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
            acronyms.KEY,
            acronyms.find_getter,
            _read_clef_task2,
            partial(_read_mention_files, "clef", acronyms.KEY),
            partial(_keep_mentions, _read_acronyms, acronyms.KEY),
            _write_acronyms,
            "c13t2",
            {"strict_accuracy": "acc", "relaxed_accuracy": "acc_r"},
        ),
        Integration(
            "clinais23_b2",
            sections.KEY,
            sections.find_getter,
            _read_clinais,
            sections.read_files,
            _keep_sections,
            sections.write_files,
            "ais",
            {"b2": "b2", "b": "b"},
        ),
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
