"""The page of a Space: upload or paste a gold standard and predictions, and see the scores.

Nothing is kept: what is uploaded is copied to a directory that is removed when it is scored, and
Gradio's own copies are deleted within the hour. Nothing is loaded from other hosts.
"""

from __future__ import annotations

import base64
import os
import shutil
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from clineval.challenge import Challenge
from clineval.errors import InputError, InputWarning
from clineval.registry import find_challenge
from clineval.report.tables import Table, as_html, as_json, documents_table
from clineval.scores import Score
from clineval.scoring import score

_HOUR = 3600
_WARNING = """\
**No patient's data belongs here.** A Space is a public computer: upload invented or released notes
only. For all else install `clineval` and score on the machine that the notes are on."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A corpus to try the page with.

    Args:
        folder: where it lies.
        gold: path of the gold standard in the folder.
        systems: name to the path of a system's output.
        options: option of the metric to a path, such as that of the records.
    """

    folder: Path
    gold: str
    systems: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)

    def files(self, path: str) -> list[str]:
        """The file, or the files of a directory."""
        whole = self.folder / path
        found = [whole] if whole.is_file() else [p for p in whole.iterdir() if p.is_file()]
        return sorted(map(str, found))


@dataclass(frozen=True, slots=True)
class Given:
    """One side as it was given: files, or text in the challenge's format."""

    files: Sequence[str]
    text: str

    def put(self, folder: Path, suffix: str) -> Path | None:
        """Put it into a folder; the path to score, or None if nothing was given."""
        if not self.files and not self.text.strip():
            return None
        folder.mkdir()
        if not self.files:
            (folder / f"pasted{suffix}").write_text(self.text, "utf-8")
        for file in self.files:
            shutil.copy(file, folder / Path(file).name)
        paths = sorted(folder.iterdir())
        return paths[0] if len(paths) == 1 and suffix != ".i2b2.entries" else folder


def score_given(  # noqa: PLR0913, PLR0917 - in the order of the page's inputs
    challenge: Challenge,
    sample: Sample,
    gold: Given,
    predictions: Given,
    options: Mapping[str, Given],
    config: str,
    protocol: str,
) -> tuple[Score, list[str]]:
    """Score what was given; also the warnings.

    Raises:
        InputError: a side is missing, or cannot be scored.
    """
    suffix = "".join(Path(sample.files(sample.gold)[0]).suffixes[-2:])
    with TemporaryDirectory() as folder, warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InputWarning)
        paths = {
            name: given.put(Path(folder) / name, suffix)
            for name, given in {"gold": gold, "predictions": predictions, **options}.items()
        }
        if challenge.one_file:
            paths["predictions"] = paths["predictions"] or paths["gold"]
        for side in ("gold", "predictions"):
            if paths[side] is None:
                raise InputError(f"the {side} are missing", remedy="Upload files, or paste text")
        others: dict[str, Any] = {name: paths[name] for name in options if paths[name] is not None}
        result = score(
            challenge.name,
            paths["predictions"],
            paths["gold"],
            config=config,
            protocol=protocol,
            **others,
        )
        result.values  # noqa: B018 - before the files are gone
    return result, [str(w.message) for w in caught if issubclass(w.category, InputWarning)]


def write_result(result: Score, problems: Sequence[str]) -> str:
    """The tables as HTML, with the warnings and a link to the JSON."""
    data = base64.b64encode(as_json(result, per_document=True).encode()).decode()
    link = (
        f'<a id="download" download="{result.metric}.json" '
        f'href="data:application/json;base64,{data}">Download as JSON</a>'
    )
    notes = "".join(f"<p>Note: {escape(problem)}</p>" for problem in problems)
    documents = _write_table(documents_table(result))
    return f'<div id="result">{notes}{as_html(result)}<p>{link}</p>{documents}</div>'


def _write_table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in ("document", *table.columns))
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows
    )
    return (
        f'<table id="documents"><caption>{escape(table.title)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def build_page(name: str, sample: Sample) -> Any:
    """The page, as Gradio's ``Blocks``.

    Args:
        name: the metric.
        sample: a corpus to try it with.
    """
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    import gradio as gr

    challenge = find_challenge(name)
    with gr.Blocks(
        title=challenge.title, analytics_enabled=False, delete_cache=(_HOUR, _HOUR)
    ) as page:
        gr.Markdown(f"# {challenge.title}")
        gr.Markdown(_WARNING, elem_id="warning")
        with gr.Row():
            gold_inputs = _add_side(gr, "Gold standard", "gold")
            predicted_inputs = _add_side(gr, "Predictions", "predictions")
        others = [
            gr.File(
                label=f"{option.capitalize()} (where needed)",
                file_count="multiple",
                elem_id=f"{option}-files",
                height=120,
            )
            for option in sample.options
        ]
        with gr.Row():
            system = gr.Dropdown(list(sample.systems), label="System of the sample")
            load = gr.Button("Load the sample", elem_id="load")
        with gr.Row():
            config = gr.Dropdown(list(challenge.configs), label="Configuration", elem_id="config")
            protocol = gr.Radio(
                list(challenge.protocols), value="spec", label="Protocol", elem_id="protocol"
            )
        run = gr.Button("Score", variant="primary", elem_id="score")
        result = gr.HTML(elem_id="output")

        def load_sample(chosen: str) -> list[Any]:
            paths = [sample.gold, sample.systems[chosen], *sample.options.values()]
            files = [sample.files(path) for path in paths]
            return [files[0], "", files[1], "", *files[2:]]

        def show(*values: Any) -> str:
            gold, found = (Given(values[k] or (), values[k + 1] or "") for k in (0, 2))
            extra = [Given(files or (), "") for files in values[6:]]
            options = dict(zip(sample.options, extra, strict=True))
            try:
                scored = score_given(challenge, sample, gold, found, options, values[4], values[5])
            except InputError as error:
                return f'<div id="problem" role="alert">{escape(str(error))}</div>'
            return write_result(*scored)

        load.click(load_sample, system, [*gold_inputs, *predicted_inputs, *others])
        run.click(show, [*gold_inputs, *predicted_inputs, config, protocol, *others], result)
    return page


def _add_side(gr: Any, label: str, name: str) -> tuple[Any, Any]:
    with gr.Column():
        files = gr.File(label=label, file_count="multiple", elem_id=f"{name}-files", height=160)
        text = gr.Textbox(label="or paste it", lines=4, max_lines=12, elem_id=f"{name}-text")
    return files, text


def launch(name: str, sample: Sample, **options: Any) -> Any:
    """Serve the page; on the Space's own address there, else on 127.0.0.1.

    Args:
        name: the metric.
        sample: a corpus to try it with.
        options: what Gradio's ``launch`` takes besides.
    """
    page = build_page(name, sample)
    import gradio as gr

    # the system's fonts: the default theme's would come from another host
    theme = gr.themes.Base(font=("system-ui", "sans-serif"), font_mono=("monospace",))
    settings = {"share": False, "ssr_mode": False, "footer_links": [], "theme": theme, **options}
    return page.launch(allowed_paths=[str(sample.folder)], **settings)
