"""``clineval convert``: documents of mentions from one format into another."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from glob import glob
from pathlib import Path
from typing import Annotated, Any

import typer

from clineval.errors import InputError


class Format(str, Enum):
    """Formats of documents of mentions."""

    pipe = "pipe"
    pipe3 = "pipe3"
    clef = "clef"
    brat = "brat"
    jsonl = "jsonl"
    spacy = "spacy"


class Entities(str, Enum):
    """What of a mention becomes an entity of spaCy."""

    none = "none"
    envelopes = "envelopes"
    fragments = "fragments"


def convert(
    sources: Annotated[
        list[Path],
        typer.Argument(help="Files and directories, all of one format.", show_default=False),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            help="Where to write: a directory, or a file for jsonl and spacy.", show_default=False
        ),
    ],
    from_: Annotated[
        Format | None,
        typer.Option("--from", help="Format of the sources; otherwise their names tell it."),
    ] = None,
    to: Annotated[
        Format | None,
        typer.Option(help="Format of the target; otherwise its name tells it, .jsonl or .spacy."),
    ] = None,
    text: Annotated[
        Path | None,
        typer.Option(
            help="Directory of the notes, where the sources lack them.", show_default=False
        ),
    ] = None,
    language: Annotated[str, typer.Option(help="spaCy's tokenizer, for .spacy files.")] = "en",
    entities: Annotated[
        Entities, typer.Option(help="For .spacy files: what becomes an entity, to train with.")
    ] = Entities.envelopes,
) -> None:
    """Convert mentions between pipe, CLEF, brat, JSON Lines and spaCy's DocBin.

    pipe has 19 columns, pipe3 those of Task 1; spacy is the DocBin of 'spacy train' and needs
    spaCy installed. brat and spacy need the notes' texts.

    [bold]Examples[/bold]

      clineval convert gold/ gold.jsonl

      clineval convert gold/ gold.spacy --text text/

      clineval convert annotated/ gold/ --from brat --to pipe
    """
    from clineval.formats.converting import find_format, write_documents
    from clineval.formats.texts import find_texts

    wanted = to.value if to else {".jsonl": "jsonl", ".spacy": "spacy"}.get(target.suffix)
    if wanted is None:
        raise typer.BadParameter("say the format of the target", param_hint="--to")
    documents: list[Any] = []
    for source in expand_patterns(sources):
        if not source.exists():
            raise InputError(
                "no such file or directory", where=str(source), remedy="Check the path"
            )
        given = from_.value if from_ else "spacy" if _is_docbin(source) else find_format(source)
        documents += _read(source, given, language)
    _check_names(documents)
    if text is not None:
        texts = find_texts([document.id for document in documents], text, "--text")
        documents = [
            replace_text(document, note) for document, note in zip(documents, texts, strict=True)
        ]
    if wanted == "spacy":
        spacy_files().write_documents(documents, target, language, entities.value)
    else:
        write_documents(documents, target, wanted)
    mentions = sum(len(document.mentions) for document in documents)
    typer.echo(f"{target}: {len(documents)} documents, {mentions} mentions")


def expand_patterns(sources: Sequence[Path]) -> list[Path]:
    """Files for patterns such as ``gold/*-ECG.pipe``, where the shell has not done so."""
    found: list[Path] = []
    for source in sources:
        names = [] if source.exists() else sorted(glob(str(source)))  # noqa: PTH207 - absolute patterns too
        found += map(Path, names) if names else [source]
    return found


def replace_text(document: Any, text: str | None) -> Any:
    """The document with a text, if there is one."""
    from clineval.mentions.mention import Document

    return document if text is None else Document(document.id, document.mentions, text)


def spacy_files() -> Any:
    """The part of the project that knows spaCy.

    Raises:
        InputError: spaCy is not installed.
    """
    try:
        from spacy_clin import files
    except ImportError:
        raise InputError(
            "spaCy is not installed", remedy="Install it with: pip install 'clineval[spacy]'"
        ) from None
    return files


def _read(source: Path, given: str, language: str) -> Sequence[Any]:
    from clineval.formats.converting import read_documents

    if given == "spacy":
        documents: Sequence[Any] = spacy_files().read_documents_of(source, language)
        return documents
    return read_documents(source, given)


def _is_docbin(source: Path) -> bool:
    return source.suffix == ".spacy" or (source.is_dir() and any(source.glob("*.spacy")))


def _check_names(documents: Sequence[Any]) -> None:
    from collections import Counter

    from clineval.errors import listed

    names = Counter(document.id for document in documents)
    repeated = sorted(str(name) for name, number in names.items() if number > 1)
    if repeated:
        raise InputError(f"documents that are in several sources: {listed(repeated)}")
