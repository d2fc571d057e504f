"""``clineval convert``: convert documents from one format to another."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from enum import Enum, StrEnum
from functools import partial, wraps
from glob import glob
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from clineval.base.errors import InputError, agree, listed, need
from clineval.base.escaping import visible
from clineval.base.files import is_directory
from clineval.cli.options import argument, option
from clineval.cli.standard_input import take_files

if TYPE_CHECKING:  # help must not wait for NumPy
    from clineval.formats.conll.lines import Tagging
    from clineval.kinds.mentions.mention import Document
    from clineval.results.challenge import Challenge
    from clineval.results.kind import DocumentForm

_CODED = ("pipe", "pipe3", "clef")
"""Formats that hold codes and no labels."""
_FORMATS = ("from_", "to")
"""Options whose choices are formats. Challenges declare formats too."""


class Entities(StrEnum):
    """The parts of a mention that become entities of spaCy."""

    none = "none"
    envelopes = "envelopes"
    fragments = "fragments"


def convert(
    sources: Annotated[
        list[Path], argument("Files and directories, all of one format.", callback=take_files)
    ],
    target: Annotated[
        Path, argument("The output: a directory, or a file for jsonl, parquet and spacy.")
    ],
    from_: Annotated[
        str | None,
        typer.Option("--from", help="Format of the sources; by default taken from their names."),
    ] = None,
    to: Annotated[
        str | None,
        typer.Option(
            help="Format of the target; by default taken from .jsonl, .parquet or .spacy."
        ),
    ] = None,
    text: Annotated[
        Path | None, option(None, "Directory of the notes, if the sources do not contain them.")
    ] = None,
    language: Annotated[str, typer.Option(help="spaCy's tokenizer, for .spacy files.")] = "en",
    entities: Annotated[
        Entities,
        typer.Option(help="For .spacy files: the parts of mentions that become entities."),
    ] = Entities.envelopes,
    module: Annotated[
        str | None,
        option(None, "The metric of the mentions or files, if the files do not identify it."),
    ] = None,
    predicted: Annotated[
        bool,
        typer.Option("--predicted", help="Read the predictions from files with both sides."),
    ] = False,
    part: Annotated[
        str | None,
        option(
            None,
            "The data set to read from a file with several data sets of records, such as train.",
        ),
    ] = None,
    align: Annotated[
        str, typer.Option(help="For answers: in-order, first, all or unique; see 'score --help'.")
    ] = "in-order",
    match: Annotated[
        str, typer.Option(help="For answers: exact, whitespace, fold or fuzzy.")
    ] = "exact",
    distance: Annotated[
        float, typer.Option(help="For fuzzy answers: the maximum edits per character of a quote.")
    ] = 0.2,
    tag_column: Annotated[
        str | None,
        option(
            None,
            "For conll: the column of tags, its number from 1 or its name in the header; the last "
            "column by default.",
        ),
    ] = None,
    tag_scheme: Annotated[
        str, typer.Option(help="For conll: auto, iob1, iob2, bioes or bilou.")
    ] = "auto",
    tag_label: Annotated[
        str | None,
        option(None, "For conll: the label of tags without one, such as B and I."),
    ] = None,
) -> None:
    """Convert mentions between pipe, CLEF, brat, CoNLL, JSON Lines, Parquet and spaCy's DocBin.

    Formats: pipe (19 columns), pipe3 (the columns of Task 1), clef, brat, conll (words with IOB,
    BIOES or BILOU tags), xml (i2b2 2014), con (.con, .ast and .rel of i2b2/VA 2010), jsonl,
    parquet, and spacy (the DocBin of 'spacy train'; install spaCy for it). Two formats can only be
    read: pubtator (PubTator, and BioC in XML or JSON) and answers (of a language model that
    quotes the notes).

    The formats brat, con, conll, xml and spacy need the notes, unless the sources contain them. In
    brat's files without codes and attributes, types are labels. If the files have attributes and no
    codes, pass their metric as --module. Codes in brat's files keep the name of their database
    (MeSH:D001249), except UMLS. Commas separate several codes.

    If --module is a metric of records, JSON becomes JSON Lines or the other way round, depending on
    the names of the files.

    [bold]Examples[/bold]

      clineval convert gold/ gold.jsonl

      clineval convert gold/ gold.spacy --text text/

      clineval convert annotated/ gold/ --from brat --to pipe

      clineval convert annotated/ gold/ --from brat --to xml

      clineval convert test.tsv gold.jsonl --from conll

      clineval convert gold.json gold.spacy --module clinais23_b2

      clineval convert answers.jsonl predicted/ --from answers --text notes/ --to pipe

      clineval convert answers.jsonl submission.json --from answers --module mediqa_oe25

      clineval convert orders.json gold.jsonl --module mediqa_oe25 --part dev
    """
    from clineval.base.files import find_path, name_path
    from clineval.evaluation.convert import (
        find_format_of,
        name_labels,
        with_texts,
        write_documents,
    )
    from clineval.evaluation.lost_parts import warn_of_marks
    from clineval.results.registry import find_challenge

    challenge = find_challenge(module) if module else None
    tagging = _open_tagging(tag_column, tag_scheme, tag_label)
    paths = _expand_patterns(sources)
    to_docbin = to == "spacy" or (to is None and target.suffix == ".spacy")
    from_docbin = from_ == "spacy" or (from_ is None and any(map(_is_docbin, paths)))
    listed = challenge and _find_form(challenge, part)
    if challenge and listed and not (to_docbin or from_docbin):
        _convert_listed(paths, target, challenge, listed, (from_, to))
        return
    if not listed:
        _refuse_part(part)
    if challenge and (to_docbin or from_docbin) and from_ != "answers":
        challenge.kind.check("docs", f"{challenge.name} has no .spacy files")
        number = _spacy_files().convert_files(
            paths, target, challenge.name, text=text, language=language,
            entities=entities.value, side="predictions" if predicted else "references",
            formats=(from_, to),
        )  # fmt: skip
        _warn_of_notes(paths, "spacy" if from_docbin else from_, challenge)
        typer.echo(visible(f"{name_path(target)}: {agree('{n} {document|documents}', number)}"))
        return
    endings = {f".{name}": name for name in ("jsonl", "parquet", "spacy")}
    wanted = to or endings.get(target.suffix)
    if wanted is None or wanted == "answers":
        problem = "answers can only be read, pass another format" if wanted else "pass the format"
        raise typer.BadParameter(f"{problem} of the target, such as brat", param_hint="--to")
    documents: list[Document] = []
    formats = set()
    for path in paths:
        find_path(path)
        format_ = from_ or ("spacy" if _is_docbin(path) else find_format_of(path, challenge))
        formats.add(format_)
        if format_ == "answers":
            documents += _place(path, text, align=align, match=match, distance=distance)
        else:
            documents += _read(path, format_, language, challenge, text, tagging)
            _warn_of_notes([path], format_, challenge)
    _check_names([document.id for document in documents])
    if challenge is None and formats == {"brat"} and wanted not in _CODED:
        documents = list(name_labels(documents))
    if text is not None and from_ != "answers":
        documents = with_texts(documents, text, "--text")
    if wanted == "spacy":
        warn_of_marks(documents)
        _spacy_files().write_documents(documents, target, language, entities.value)
    else:
        write_documents(documents, target, wanted, challenge)
    held = agree("{n} {document|documents}", len(documents))
    mentions = sum(len(document.mentions) for document in documents)
    held += agree(", {n} {mention|mentions}", mentions)
    typer.echo(visible(f"{name_path(target)}: {held}"))


def with_formats(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose formats are choices, after importing all challenges."""
    from clineval.formats.by_name import list_formats

    named = [(name, name) for name in (*list_formats(), "spacy", "answers")]
    choice = Enum("Format", named, type=str)  # type: ignore[misc]
    signature = inspect.signature(command, eval_str=True)
    parameters = []
    for known in signature.parameters.values():
        [option] = known.annotation.__metadata__
        kind = Annotated[choice | None, option] if known.name in _FORMATS else known.annotation
        parameters.append(known.replace(annotation=kind))

    @wraps(command)
    def call(**arguments: object) -> None:
        command(**{n: v.value if isinstance(v, choice) else v for n, v in arguments.items()})

    call.__signature__ = signature.replace(parameters=parameters)  # type: ignore[attr-defined]
    call.__annotations__ = {known.name: known.annotation for known in parameters}
    return call


def _expand_patterns(sources: Sequence[Path]) -> list[Path]:
    """Expand patterns such as ``gold/*-ECG.pipe`` that the shell has not expanded."""
    from clineval.base.files import is_there

    found: list[Path] = []
    for source in sources:
        names = [] if is_there(source) else sorted(glob(str(source)))  # noqa: PTH207 - absolute patterns too
        found += map(Path, names) if names else [source]
    return found


def _spacy_files() -> ModuleType:
    """Import the functions for spaCy's files, if spaCy is installed."""
    files: ModuleType = need("spacy_clin.files", "spacy", "spaCy is not installed")
    return files


def _open_tagging(column: str | None, scheme: str, label: str | None) -> Tagging:
    """Check the options for words with tags."""
    from clineval.formats.conll.lines import Tagging
    from clineval.formats.conll.options import SCHEMES, parse_column, parse_label
    from clineval.results.options import check_name

    check_name("tag_scheme", scheme, SCHEMES)
    return Tagging(parse_column(column), scheme, parse_label(label))


def _read(
    source: Path,
    format_: str,
    language: str,
    challenge: Challenge | None,
    text: Path | None,
    tagging: Tagging,
) -> Sequence[Document]:
    from clineval.evaluation.convert import list_formats, read_documents

    if format_ != "spacy":
        needed = format_ in list_formats() and list_formats()[format_].needs_texts
        texts = text if needed else None
        return read_documents(source, format_, challenge, texts, tagging)
    documents: Sequence[Document] = _spacy_files().read_documents_of(source, language)
    return documents


def _warn_of_notes(paths: Sequence[Path], format_: str | None, challenge: Challenge | None) -> None:
    from clineval.evaluation.convert import find_format, warn_of_notes

    for path in paths:
        with suppress(InputError):  # a format of the challenge
            warn_of_notes(path, format_ or find_format(path), challenge)


def _place(source: Path, text: Path | None, **policies: Any) -> Sequence[Document]:
    from clineval.answers import Alignment, place_answers, read_answers
    from clineval.answers.placing import as_documents
    from clineval.formats.delimited.pipe import SLOTS

    alignment = Alignment(**policies)
    if alignment.by_words:
        problem = f"--match {alignment.match} does not compute offsets"
        raise InputError(problem, remedy="Choose another")
    placed = place_answers(read_answers(source), None, text, alignment)
    return as_documents(placed, SLOTS)


def _find_form(challenge: Challenge, part: str | None) -> DocumentForm | None:
    """Find the form of documents whose annotations are not mentions."""
    options = {} if part is None else {"part": part}
    return challenge.document_form() and challenge.document_form(options=options)


def _convert_listed(
    paths: Sequence[Path],
    target: Path,
    challenge: Challenge,
    form: DocumentForm,
    formats: tuple[str | None, str | None],
) -> None:
    """Convert annotations that are not mentions between their formats."""
    from clineval.answers.listing import list_answers
    from clineval.base.files import name_path

    items, (format_, to) = challenge.kind.items, formats
    if to is not None or format_ not in (None, "jsonl", "answers"):
        problem = f"the names of the files determine the format of {items}"
        raise InputError(problem, remedy="Leave out --to and --from, except --from answers")
    read = partial(list_answers, challenge) if format_ == "answers" else form.list_files
    documents = [each for path in paths for each in read(path)]
    _check_names([each.name for each in documents])
    number = form.write(documents, target)
    held = agree("{n} {document|documents}", len(documents))
    held += agree(f", {{n}} {{{items.removesuffix('s')}|{items}}}", number)
    typer.echo(visible(f"{name_path(target)}: {held}"))


def _refuse_part(part: str | None) -> None:
    if part is not None:
        raise InputError("--part is for files of records", remedy="Pass their metric as --module")


def _is_docbin(source: Path) -> bool:
    return any(source.rglob("*.spacy")) if is_directory(source) else source.suffix == ".spacy"


def _check_names(ids: Sequence[str | None]) -> None:
    names = Counter(ids)
    repeated = sorted(str(name) for name, number in names.items() if number > 1)
    if repeated:
        raise InputError(f"documents appear in several sources: {listed(repeated)}")
