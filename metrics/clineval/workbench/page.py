"""The Workbench's page: a single file that sends no requests."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from clineval.base.errors import need
from clineval.base.escaping import ESCAPES
from clineval.base.progress import metered
from clineval.base.version import __version__
from clineval.evaluation.evaluate import Evaluation
from clineval.kinds.codes.hierarchical import ANCESTORS, COPHE
from clineval.kinds.codes.hierarchy import WHERE
from clineval.results.challenge import Setup
from clineval.results.comparable import find_settings
from clineval.results.scores import Score
from clineval.workbench.buckets import Extras
from clineval.workbench.packing import Block, compress_json, json_in_html

SCHEMA = "clineval report 1"
TEXTS_IN_A_CHUNK = 50
Head = dict[str, Any]
_NO_EXTRAS = Extras()
WEB = Path(__file__).parent / "web"


@dataclass(frozen=True, slots=True, eq=False)
class Subject:
    """The subject of a page.

    Args:
        setup: the setup as requested; each evaluation has its setup as resolved for the corpus.
        evaluations: the evaluation of each system.
        scores: maps systems to their scores, in the same order.
        notes: the texts, as a directory, a mapping or a list; None if none were given.
        with_text: whether the page contains the texts of the notes.
        extras: the training corpus and sections, which some groupings need.
        names: maps codes to names.
    """

    setup: Setup
    evaluations: Sequence[Evaluation]
    scores: Mapping[str, Score]
    notes: object
    with_text: bool
    extras: Extras = _NO_EXTRAS
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Workbench:
    """Everything that a page shows.

    Args:
        scores: maps systems to their scores.
        head: the data that the page reads first: its view, and the data of the view.
        tables: lists of strings that are compressed.
        blocks: columns of numbers by name.
        texts: the text of each document, or None if it has none; None for a page without texts.
        comparison: the differences from the first system, and the test.
        script: the path of the script of a page of items; None for a page of mentions.
        write_measures: writes the table of outcome measures, as CSV.
        estimated: maps systems to scores with intervals; empty if there are too few documents.
        warnings: warnings about the numbers, a line each.
        of_scores: the number of warnings about scores; the others are about intervals.
        printed: the documents that are printed; if empty, the open document.
    """

    scores: Mapping[str, Score]
    head: Head
    tables: Mapping[str, object]
    blocks: Mapping[str, Block]
    texts: Sequence[str | None] | None
    script: Path | None = None
    comparison: Mapping[str, object] | None = None
    write_measures: Callable[[], str] = str
    estimated: Mapping[str, Score] = field(default_factory=dict)
    warnings: Sequence[str] = ()
    of_scores: int = 0
    printed: Sequence[str] = ()

    @property
    def measures(self) -> str:
        """The table of outcome measures, as CSV."""
        return self.write_measures()

    def to_html(self) -> str:
        """Return the page.

        Raises:
            InputError: Jinja2 is not installed.
        """
        return self.to_bytes().decode()

    def to_bytes(self) -> bytes:
        """Return the page in UTF-8, with a third of the memory of :meth:`to_html`.

        Raises:
            InputError: Jinja2 is not installed.
        """
        view = "lists" if self.script else "mentions"
        names = json.loads(_read(WEB / "scripts.json"))  # in the order of concatenation
        scripts = [WEB / f"{name}.js" for name in (*names["common"], *names[view], "start")]
        if self.script:
            scripts.insert(-1, self.script)
        style, script = _read(WEB / "workbench.css"), "\n".join(map(_read, scripts))
        tables = compress_json(self.tables)
        blocks = {name: block.data for name, block in self.blocks.items()}
        head = {**self.head_all, "digest": _digest(tables, *blocks.values())}
        jinja2 = import_jinja2()
        environment = jinja2.Environment(
            autoescape=True, undefined=jinja2.StrictUndefined, loader=jinja2.FileSystemLoader(WEB)
        )
        pieces: Iterator[str] = environment.get_template(f"{view}.html.j2").generate(
            title=f"{self.head_all['title']}: {' and '.join(self.scores)}",
            policy=content_security_policy(style, script),
            style=style,
            script=script,
            head=json_in_html(head),
            tables=tables,
            blocks=blocks,
            chunks=_compress_texts(self.texts or ()),
            word=self.head.get("classes", {}).get("word"),
        )
        return b"".join(piece.encode("utf-8", ESCAPES) for piece in pieces)

    @property
    def head_all(self) -> Head:
        """The part of the page that is plain JSON."""
        score = next(iter(self.scores.values()))
        return {
            "schema": SCHEMA,
            "version": __version__,
            "module": score.metric,
            "title": score.challenge.task.title,
            "config": score.config,
            "protocol": score.protocol,
            "references": score.counts.references,
            "dataset": score.dataset,
            "citation": score.challenge.task.citation,
            "fields": [asdict(each) for each in find_settings(score.metric).values()],
            "text": self.texts is not None,
            "chunk": TEXTS_IN_A_CHUNK,
            "warnings": [*self.warnings],
            "hierarchies": _list_hierarchies(score),
            "systems": [
                _describe(name, score, self.estimated.get(name, score))
                for name, score in self.scores.items()
            ],
            "comparison": self.comparison,
            "print": [*self.printed],
            "layouts": {name: block.layout for name, block in self.blocks.items()},
            **self.head,
        }


def _list_hierarchies(score: Score) -> list[str]:
    """List the beginnings of the names of scores by a hierarchy; empty without one."""
    if WHERE not in score.counts.settings:
        return []
    keys, end = score.values, f"{COPHE}_f1"
    begins = [key.removesuffix(end) for key in keys if key.endswith(end)]
    return [begin for begin in begins if f"{begin}{ANCESTORS}_f1" in keys]


def import_jinja2() -> ModuleType:
    """Import Jinja2, or raise an ``InputError`` that says how to install it."""
    found: ModuleType = need("jinja2", "report", "reports need Jinja2, which is not installed")
    return found


def _describe(name: str, score: Score, estimated: Score) -> dict[str, object]:
    """Return the scores of a system, and the signature that they depend on.

    Intervals cover all documents that any system has, as in a comparison.
    """
    return {
        "name": name,
        "signature": str(replace(score, confidence=estimated.confidence).signature),
        "scores": dict(score.values),
        "empty": [key for key, value in score.shown.items() if value is None],
        "intervals": {key: of or (None, None) for key, of in estimated.shown_bounds.items()},
        "few_units": list(estimated.few_units),
    }


def content_security_policy(style: str, script: str) -> str:
    """Return a policy that allows this style and script, and blocks loading and sending."""
    hashes = [
        base64.b64encode(hashlib.sha256(source.encode()).digest()).decode()
        for source in (style, script)
    ]
    return (
        f"default-src 'none'; style-src 'sha256-{hashes[0]}'; script-src 'sha256-{hashes[1]}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _compress_texts(texts: Sequence[str | None]) -> Iterator[str]:
    with metered(len(texts), "writing the page") as advance:
        for at in range(0, len(texts), TEXTS_IN_A_CHUNK):
            yield compress_json(texts[at : at + TEXTS_IN_A_CHUNK])
            advance(TEXTS_IN_A_CHUNK)


def _digest(*parts: str) -> str:
    """Return the digest of the page's data, under which a browser stores remarks."""
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _read(path: Path) -> str:
    # the browser hashes the content of the tags with \n line ends
    return path.read_text("utf-8").replace("\r\n", "\n")
