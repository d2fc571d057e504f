"""The page of a Space: upload or paste a gold standard and predictions, see scores and errors.

Nothing is kept: uploads are copied to a directory that is removed after scoring, and Gradio's own
copies are deleted within an hour. Nothing is loaded from other hosts.
"""

from __future__ import annotations

import base64
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Any

from clineval.base.errors import InputError, InputWarning
from clineval.base.files import make_directory, write_file
from clineval.hub.cards import write_table
from clineval.results.challenge import Challenge
from clineval.results.registry import find_challenge
from clineval.results.tables import Table, add_warnings, as_html, as_json
from clineval.workbench.build import build_workbench
from clineval.workbench.page import WEB, Workbench
from clineval.workbench.serving import mark_ready, serving_settings, store_uploads, write_notes

if TYPE_CHECKING:
    from gradio import Blocks
    from gradio.components import Component

_HOUR = 3600
_EXCERPT = 200
_SYSTEM = "predictions"
_LARGEST_REPORT = 8_000_000
_WARNING = """\
**Do not upload patient data.** A Space is a public computer: upload only invented or released
notes. For other notes, install `clineval` and score on your own machine."""
_PROTOCOLS = {
    "spec": "spec: the challenge's own definition",
    "official": "official: the numbers of the released script",
}


@dataclass(frozen=True, slots=True)
class Sample:
    """A corpus to try the page with.

    Args:
        folder: the folder of the corpus.
        gold: the path of the gold standard in the folder.
        systems: a dict from name to the path of a system's output.
        options: a dict from option of the metric to a path, such as the path of the records.
    """

    folder: Path
    gold: str
    systems: Mapping[str, str]
    options: Mapping[str, str] = field(default_factory=dict)

    def files(self, path: str) -> list[str]:
        """Return the file, or the files of a directory and of the folders in it."""
        whole = self.folder / path
        found = [whole] if whole.is_file() else [p for p in whole.rglob("*") if p.is_file()]
        return sorted(map(str, found))

    def suffix_of(self, name: str) -> str:
        """Return the suffix of a side or option; without a sample, that of the gold standard."""
        system = next(iter(self.systems.values()), self.gold)
        path = {"predictions": system, **self.options}.get(name, self.gold)
        return "".join(Path(self.files(path)[0]).suffixes[-2:])

    def excerpt(self, path: str) -> str:
        """Return the beginning of the file, or of the first file of a directory."""
        text = Path(self.files(path)[0]).read_text("utf-8")
        return text[:_EXCERPT].rpartition("\n")[0] or text[:_EXCERPT]


@dataclass(frozen=True, slots=True)
class Given:
    """One side of the input: files, or text in the challenge's format."""

    files: Sequence[str]
    text: str

    def put(self, folder: Path, suffix: str, *, alone: bool) -> Path | None:
        """Write the input to a folder; return the path to score, or None if there is no input.

        Text becomes a file with the suffix. With ``alone``, a single file is scored as a file, not
        as a directory with one file.
        """
        if not self.files and not self.text.strip():
            return None
        if self.files:
            return store_uploads(self.files, folder, alone=alone)
        make_directory(folder)
        # use a number, because the released script of i2b2 accepts no other names
        pasted = folder / f"1{suffix}"
        write_file(pasted, self.text)
        return pasted if alone else folder


def score_given(  # noqa: PLR0913, PLR0917 - in the order of the page's inputs
    challenge: Challenge,
    sample: Sample,
    gold: Given,
    predictions: Given,
    options: Mapping[str, Given],
    config: str,
    protocol: str,
) -> Workbench:
    """Score the input and collect its errors; the report contains the warnings.

    Args:
        challenge: the metric.
        sample: the page's sample, whose files determine the suffixes of pasted texts.
        gold: the gold standard.
        predictions: the predictions.
        options: option of the challenge to its files.
        config: the configuration.
        protocol: ``spec``, ``official``, or another protocol of the challenge.
    """
    sides = {"gold": gold, "predictions": predictions, **options}
    with TemporaryDirectory() as folder, warnings.catch_warnings():
        warnings.simplefilter("ignore", InputWarning)  # the page shows them
        paths = {
            name: side.put(
                Path(folder) / name, sample.suffix_of(name), alone=challenge.faces.single_files
            )
            for name, side in sides.items()
        }
        return _score_files(challenge, paths, config, protocol)


def _score_files(
    challenge: Challenge, paths: dict[str, Path | None], config: str, protocol: str
) -> Workbench:
    gold, predictions = paths.pop("gold"), paths.pop("predictions")
    if challenge.faces.one_file:
        predictions = predictions or gold
    for name, side in (("gold standard is", gold), ("predictions are", predictions)):
        if side is None:
            raise InputError(f"the {name} missing", remedy="Upload files or paste text")
    options: dict[str, Any] = {name: path for name, path in paths.items() if path is not None}
    notes = next((p for name, p in options.items() if challenge.option(name).holds_texts), None)
    return build_workbench(
        challenge.name,
        gold,
        {_SYSTEM: predictions},
        config=config,
        protocol=protocol,
        notes=notes,
        with_text=notes is not None or not challenge.faces.notes_apart,
        **options,
    )


def show_score(*given: Any) -> str:
    """Show the result of :func:`score_given` as HTML, or the error in the input."""
    try:
        return write_result(score_given(*given))
    except InputError as error:
        return f'<div id="problem" role="alert">{escape(str(error))}</div>'


def write_result(workbench: Workbench) -> str:
    """Write the tables as HTML, with the warnings, a link to the JSON, and the report of errors."""
    result = workbench.scores[_SYSTEM]
    sheet = add_warnings(
        result.sheet(per_document=True), lambda: workbench.warnings[: workbench.of_scores]
    )
    data = base64.b64encode(as_json(sheet).encode()).decode()
    link = (
        f'<a id="download" download="{result.metric}.json" '
        f'href="data:application/json;base64,{data}">Download as JSON</a>'
    )
    notes = write_notes(workbench.warnings)
    documents = _write_table(result.documents_table)
    return (
        f'<div id="result">{notes}<div class="scores">{as_html(result.sheet())}</div><p>{link}</p>'
        f'<div class="scroll">{documents}</div></div>{_frame(workbench.to_html())}'
    )


def _frame(report: str) -> str:
    """Put the Workbench into a separate frame, which can neither load nor send anything."""
    if len(report) > _LARGEST_REPORT:
        return "<p>To see the errors of such a large corpus, use <code>clineval report</code>.</p>"
    return (
        f'<iframe id="workbench" title="Workbench: the errors" srcdoc="{escape(report)}" '
        'sandbox="allow-scripts allow-downloads"></iframe>'
    )


def _write_table(table: Table) -> str:
    head = "".join(f"<th>{escape(name)}</th>" for name in ("document", *table.columns))
    body = "".join(
        f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in table.rows
    )
    return (
        f'<table id="documents"><caption>{escape(table.title)}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def build_page(name: str, sample: Sample) -> Blocks:
    """Build the page of a metric, with a sample to try."""
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    import gradio as gr

    challenge = find_challenge(name)
    with gr.Blocks(
        title=challenge.task.title, analytics_enabled=False, delete_cache=(_HOUR, _HOUR)
    ) as page:
        gr.Markdown(f"# {challenge.task.title}")
        gr.Markdown(_WARNING, elem_id="warning")
        with gr.Row():
            gold = _add_side(gr, "Gold standard", "gold", sample.excerpt(sample.gold))
            system_path = next(iter(sample.systems.values()))
            found = _add_side(gr, "Predictions", "predictions", sample.excerpt(system_path))
        others = [
            gr.File(
                label=f"{option.capitalize()} (if needed)",
                file_count="multiple",
                elem_id=f"{option}-files",
                height=120,
            )
            for option in sample.options
        ]
        with gr.Row(elem_id="sample"):
            system = gr.Dropdown(list(sample.systems), label="Invented sample with the output of")
            load = gr.Button("Load the sample", elem_id="load")
        config, protocol = _add_choices(gr, challenge)
        run = gr.Button("Score", variant="primary", elem_id="score")
        result = gr.HTML(elem_id="output")

        def load_sample(chosen: str) -> list[object]:
            paths = [sample.gold, sample.systems[chosen], *sample.options.values()]
            files = [sample.files(path) for path in paths]
            return [files[0], "", files[1], "", *files[2:]]

        def show(*values: Any) -> str:
            sides = [Given(values[k] or (), values[k + 1] or "") for k in (0, 2)]
            extra = [Given(files or (), "") for files in values[6:]]
            options = dict(zip(sample.options, extra, strict=True))
            return show_score(challenge, sample, *sides, options, values[4], values[5])

        load.click(load_sample, system, [*gold, *found, *others])
        run.click(show, [*gold, *found, config, protocol, *others], result)
        mark_ready(page)
    return page


def _add_side(gr: ModuleType, label: str, name: str, example: str) -> tuple[Component, Component]:
    with gr.Column():
        files = gr.File(label=label, file_count="multiple", elem_id=f"{name}-files", height=160)
        text = gr.Textbox(
            label="or paste it, for example",
            placeholder=example,
            lines=4,
            max_lines=12,
            elem_id=f"{name}-text",
        )
    return files, text


def _add_choices(gr: ModuleType, challenge: Challenge) -> tuple[Component, Component]:
    configs = [(f"{name}: {line}", name) for name, line in challenge.task.configs.items()]
    abouts = {name: f"{name}: {line}" for name, line in challenge.list_abouts().items()}
    lines = {**_PROTOCOLS, **abouts}
    protocols = [(lines.get(name, name), name) for name in challenge.protocols]
    with gr.Row():
        config = gr.Dropdown(configs, label="Configuration", elem_id="config", min_width=320)
        protocol = gr.Radio(
            protocols, value=protocols[0][1], label="Protocol", elem_id="protocol", min_width=320
        )
    if challenge.differences:
        with gr.Accordion("Where the protocols differ", open=False, elem_id="differences"):
            gr.Markdown(write_table(challenge))
    return config, protocol


def launch(name: str, sample: Sample, **options: object) -> object:
    """Serve the page at the Space's own address, or at 127.0.0.1 outside a Space.

    ``options`` are further arguments of Gradio's ``launch``.
    """
    page = build_page(name, sample)
    import gradio as gr

    settings = {"share": False, **serving_settings(gr), **options}
    return page.launch(
        allowed_paths=[str(sample.folder)], css=(WEB / "space.css").read_text("utf-8"), **settings
    )
