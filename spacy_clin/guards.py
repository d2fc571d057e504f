"""What goes wrong silently in spaCy is said aloud here."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from spacy.tokens import Doc

from clineval.errors import InputError, InputWarning, listed
from spacy_clin.mentions import describe

_EXTENSION = "._."
_SHORT = 32


def check_pairs(golds: Sequence[Doc], preds: Sequence[Doc]) -> None:
    """Refuse sides of other numbers or names of documents, and other texts.

    Raises:
        InputError: names the document and the first offset that differs.
    """
    if len(golds) != len(preds):
        raise InputError(
            f"expected as many predicted documents as gold ones, got {len(preds)} and {len(golds)}",
            remedy="Give them in the same order, one for one",
        )
    for at, (gold, pred) in enumerate(zip(golds, preds, strict=True)):
        _check_text(gold, pred, at)


def _check_text(gold: Doc, pred: Doc, at: int) -> None:
    if not _is_alike(gold, pred):
        one, other = gold.text, pred.text
        if one != other:
            pairs = enumerate(zip(one, other, strict=False))
            differing = next((k for k, (a, b) in pairs if a != b), min(len(one), len(other)))
            raise InputError(
                f"the gold text and the predicted text differ from offset {differing} on, "
                f"of {len(one)} and {len(other)} characters",
                where=describe(gold, at),
                remedy="Offsets mean something only in the same text: run the pipeline on "
                "gold.text, and give documents in the same order",
            )
    for doc in (gold, pred):
        if doc.has_unknown_spaces and len(doc) > 1:
            raise InputError(
                "the Doc was made from words alone, so its text and offsets are not those of the "
                "note",
                where=describe(doc, at),
                remedy="Make Docs from texts, nlp.make_doc(text), or give 'spaces' to Doc",
            )


def _is_alike(gold: Doc, pred: Doc) -> bool:
    """Whether tokens and offsets are the same, of a long text at its ends and in the middle.

    Making two texts of tokens to compare them takes longer than scoring does. Whatever is added
    or left out shifts the offset of the last token.
    """
    size = len(gold)
    if size != len(pred):
        return False
    places = range(size) if size <= _SHORT else (0, size // 2, size - 1)
    for place in places:
        one, other = gold[place], pred[place]
        if one.orth != other.orth or one.idx != other.idx:
            return False
    return True


def check_names(names: Sequence[str], side: str) -> None:
    """Refuse repeated names of documents."""
    repeated = [name for name, number in Counter(filter(None, names)).items() if number > 1]
    if repeated:
        raise InputError(
            f"repeated document names: {listed(sorted(repeated))}",
            where=side,
            remedy="Give each document a name of its own (set_mentions(..., document=...))",
        )


def report_lacking_groups(
    wanted: Any, docs: Sequence[Doc], lacking: Sequence[int], side: str
) -> None:
    """Refuse documents without the span groups that a getter reads; warn if only some lack them.

    A predicted document may lack them if others have them; a gold one may not.

    Args:
        wanted: where the getter looks.
        docs: all documents.
        lacking: which of them have none of the groups.
        side: ``references`` or ``predictions``.
    """
    if not lacking:
        return
    names = listed([describe(docs[at], at) for at in lacking])
    groups = repr(wanted) if isinstance(wanted, str) else " or ".join(map(repr, wanted))
    some = f"{len(lacking)} of {len(docs)} documents have no span group {groups}"
    if side == "references" or len(lacking) == len(docs):
        present = listed(sorted({key for doc in docs for key in doc.spans})) or "none"
        raise InputError(
            f"{some}, the groups that there are: {present}: {names}",
            where=side,
            remedy=_REMEDIES.get(side, _REMEDIES["predictions"]),
        )
    warnings.warn(
        f"{side}: {some} and count as documents without mentions: {names}",
        InputWarning,
        stacklevel=3,
    )


_REMEDIES = {
    "references": "Spans are lost where references are cut up: use spacy_clin.Corpus.v1, without "
    "gold_preproc and max_length; or say where gold mentions are, such as gold='spacy' for "
    "doc.ents",
    "predictions": "Say where predictions are, such as pred='spacy' for doc.ents; or add the "
    "component clin_converter before the scorer",
}


def warn_of_lost_user_data(
    docs: Sequence[Doc], records: Sequence[Sequence[Any]], side: str
) -> None:
    """Warn if extensions are to be read and no Doc holds the value of any."""
    if not any(records) or any(_has_extensions(doc) for doc in docs):
        return
    warnings.warn(
        f"{side}: no document holds the value of any extension, so all slots that are read from "
        "extensions have their defaults. Add the component that sets them; a DocBin keeps them "
        "with store_user_data=True only",
        InputWarning,
        stacklevel=3,
    )


def _has_extensions(doc: Doc) -> bool:
    return any(isinstance(key, tuple) and key[:1] == (_EXTENSION,) for key in doc.user_data)


def warn_of_shared_extensions(records: Sequence[Sequence[Mapping[str, Any]]], side: str) -> None:
    """Warn of different mentions with the same offsets: their extensions are the same ones."""
    sharing = [at for at, mentions in enumerate(records) if _shares(mentions)]
    if sharing:
        warnings.warn(
            f"{side}: {len(sharing)} documents have mentions with the same offsets, which share "
            f"the values of all their extensions: {listed([str(at) for at in sharing])}. Write "
            "such mentions with spacy_clin.set_mentions, which keeps them apart",
            InputWarning,
            stacklevel=3,
        )


def _shares(mentions: Sequence[Mapping[str, Any]]) -> bool:
    if len({mention["spans"][0][0] for mention in mentions}) == len(mentions):
        return False
    seen: dict[Any, Any] = {}
    places = (tuple(map(tuple, mention["spans"])) for mention in mentions)
    return any(
        seen.setdefault(place, mention) != mention
        for place, mention in zip(places, mentions, strict=True)
    )


def copied(doc: Doc, copy: Callable[[], Any]) -> Any:
    """Do something that copies or writes a Doc; say what to do if it cannot be.

    Raises:
        InputError: an extension holds a span, a set or another object.
    """
    try:
        return copy()
    except (NotImplementedError, TypeError, ValueError) as error:
        holders = sorted(set(_holders(doc)))
        raise InputError(
            f"the Doc cannot be copied or written, because of the extensions {listed(holders)}",
            where=describe(doc),
            remedy="Score it as it is with spacy_clin.score_docs, or write it without user data: "
            "the mentions of set_mentions are kept",
        ) from error


_UNSENDABLE = ("serialize", "E112")


def sent(run: Callable[[], Any]) -> Any:
    """Run a pipeline in several processes; say what to do if its Docs cannot be sent.

    Raises:
        InputError: an extension holds a span, a set or another object.
    """
    try:
        return run()
    except Exception as error:
        if not any(word in str(error) for word in _UNSENDABLE):
            raise
        raise InputError(
            "the Docs cannot be sent from one process to another, because extensions hold what is "
            "no plain data",
            remedy="Run the pipeline in one process (n_process=1)",
        ) from error


def _holders(doc: Doc) -> Iterable[str]:
    """The extensions whose values are no plain data."""
    for key, value in doc.user_data.items():
        if isinstance(key, tuple) and key[:1] == (_EXTENSION,) and not _is_plain(value):
            yield key[1]


def _is_plain(value: Any) -> bool:
    if isinstance(value, (list, tuple)):
        return all(map(_is_plain, value))
    if isinstance(value, dict):
        return all(map(_is_plain, value.values()))
    return value is None or isinstance(value, (str, int, float, bool))
