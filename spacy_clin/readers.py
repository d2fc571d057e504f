"""The corpus reader: ``@readers = "spacy_clin.Corpus.v1"``."""

# no annotations as strings here: spaCy 3.7 reads the types of registered functions

import random
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc
from spacy.training import Example

from clineval.errors import InputError, InputWarning
from clineval.mentions.mention import Mention
from clineval.registry import check_name
from spacy_clin.files import Entities, read_docs
from spacy_clin.integrations import find_integration
from spacy_clin.mentions import get_document_name, get_mentions, set_mentions

GIVEN = ("nothing", "spans", "spans+codes")


@dataclass(frozen=True, slots=True)
class Corpus:
    """Makes Examples of files; see :func:`make_corpus`."""

    path: Path
    challenge: str
    text: Path | None
    format: str | None
    given: str
    entities: Entities | None
    limit: int
    shuffle: bool

    def __call__(self, nlp: Language) -> Iterator[Example]:
        """Examples whose references hold the annotation and whose predictions hold the text.

        Raises:
            InputError: names the file and line, or the document.
        """
        docs = list(
            read_docs(
                self.path,
                nlp.make_doc,
                self.challenge,
                text=self.text,
                format=self.format,
                entities=self.entities,
            )
        )
        if self.shuffle:
            random.shuffle(docs)
        kept = [doc for doc in docs if len(doc)]
        if len(kept) < len(docs):
            warnings.warn(
                f"{len(docs) - len(kept)} documents are empty and left out",
                InputWarning,
                stacklevel=2,
            )
        for reference in kept[: self.limit or None]:
            yield Example(self._prepare(nlp, reference), reference)

    def _prepare(self, nlp: Language, reference: Doc) -> Doc:
        predicted = nlp.make_doc(reference.text)
        if self.given != "nothing":
            give_spans(
                reference, predicted, find_integration(self.challenge).annotation.key, self.given
            )
        return predicted


def give_spans(reference: Doc, predicted: Doc, key: str, given: str) -> None:
    """Put gold mentions on a Doc without what is to be predicted.

    Args:
        reference: has the mentions.
        predicted: gets their ids, types and fragments, without slots.
        key: the span group.
        given: ``spans``, or ``spans+codes`` for codes too.
    """
    if key not in reference.spans:
        raise InputError(
            f"given={given!r} needs gold mentions in the span group {key!r}",
            where=f"document {get_document_name(reference)}",
            remedy="Write them with spacy_clin.set_mentions",
        )
    mentions = {
        id_: Mention(
            mention.spans,
            mention.cui if given == "spans+codes" else None,
            {name: value for name, value in mention.slots.items() if name == "type"},
        )
        for id_, mention in get_mentions(reference, key=key).items()
    }
    set_mentions(predicted, mentions, key=key, document=get_document_name(reference))


def make_corpus(  # noqa: PLR0913 - the settings of the configuration
    path: str | Path,
    *,
    challenge: str = "semeval15_task14",
    text: str | Path | None = None,
    format: str | None = None,  # noqa: A002
    given: str = "nothing",
    entities: str | None = None,
    limit: int = 0,
    shuffle: bool = False,
    gold_preproc: bool = False,
    max_length: int = 0,
) -> Callable[[Language], Iterator[Example]]:
    """Read a corpus for training or evaluation.

    Args:
        path: ``.spacy`` files, files of the challenge's own format, brat's or JSON Lines.
        challenge: the module.
        text: directory of the notes, where the files do not hold them.
        format: the format, where the names of the files do not tell it.
        given: ``nothing``; ``spans`` puts the gold mentions, without codes and slots, on the
            predicted side too (Task 2a); ``spans+codes`` with codes.
        entities: ``none``, ``envelopes`` or ``fragments``: what goes into ``reference.ents``.
        limit: read only so many documents; 0 for all.
        shuffle: whether to shuffle the documents.
        gold_preproc: must be False: cutting references up loses their spans.
        max_length: must be 0, for the same reason.

    Raises:
        InputError: a setting that does not exist.
    """
    check_name("given", given, GIVEN)
    check_name("entities", entities or "none", ("none", "envelopes", "fragments"))
    find_integration(challenge)
    if gold_preproc or max_length:
        raise InputError(
            "gold_preproc and max_length cut references up, and so lose all their spans",
            remedy="Leave both out; split long notes before they are annotated",
        )
    kept: Any = entities
    folder = None if text is None else Path(text)
    return Corpus(Path(path), challenge, folder, format, given, kept, limit, shuffle)
