"""The Workbench as a local application: choose files and see the report.

It serves 127.0.0.1 only, and only requests with the address that it prints (see :mod:`.guard`). It
contacts no other host. It reads files of one folder, and uploaded files. It writes to a directory
that only its user can open, and removes the directory at the end (see :mod:`.scratch`).
"""

from __future__ import annotations

import os
import secrets
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from html import escape
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from clineval.base.errors import InputError, need
from clineval.base.escaping import in_markdown
from clineval.base.files import is_directory, name_path
from clineval.results.registry import all_challenges, find_challenge
from clineval.workbench.guard import Guard
from clineval.workbench.requests import (
    NO_WISHES,
    OTHERS,
    SIDES,
    Request,
    Result,
    Wishes,
    write_report,
)
from clineval.workbench.scratch import scratch_folder
from clineval.workbench.serving import (
    listen,
    mark_ready,
    serve,
    serving_settings,
    store_uploads,
    write_notes,
)

if TYPE_CHECKING:
    from gradio import Blocks

_DEPTH = 3
_MOST_CHOICES = 2000


def list_choices(folder: Path) -> list[str]:
    """List the files and directories of a folder, as relative paths, without hidden ones."""
    found = (str(path.relative_to(folder)) for path in _walk(folder, _DEPTH))
    return [name for name, _ in zip(found, range(_MOST_CHOICES), strict=False)]


def _walk(folder: Path, depth: int) -> Iterator[Path]:
    """Yield directories, and files of directories with few files: a corpus may have many."""
    try:
        entries = sorted(path for path in folder.iterdir() if not path.name.startswith("."))
    except OSError:  # choosing it shows the error
        return
    files = [path for path in entries if path.is_file()]
    for path in entries:
        if path.is_dir() and not path.is_symlink():
            yield path
            if depth > 1:
                yield from _walk(path, depth - 1)
    if len(files) <= 10:  # noqa: PLR2004
        yield from files


def resolve(folder: Path, choice: str) -> Path:
    """Return the chosen path; reject it if it leaves the folder or is not a valid path."""
    try:
        path = (folder / choice).resolve()
    except (OSError, RuntimeError, ValueError):  # symlink loops, NUL bytes, lone surrogates
        raise InputError("no such file or directory", remedy="Choose one from the list") from None
    if not path.is_relative_to(folder.resolve()):
        raise InputError("the path is outside the folder")
    return path


def read_sides(
    module: str, values: Sequence[Any], folder: Path, private: Path
) -> Iterator[tuple[str, Path]]:
    """Yield the sides that were given, with their paths.

    The path of a side is chosen from ``folder``, or has the uploaded files, which are copied to
    ``private``. Each path that is chosen for the other systems is a system.

    Raises:
        InputError: a path is outside the folder, or uploads have the same name.
    """
    single = find_challenge(module).faces.single_files
    for side, choice, uploads in zip(SIDES, values[::2], values[1::2], strict=True):
        chosen = [choice] if isinstance(choice, str) else choice or []
        paths = [] if uploads else [resolve(folder, name) for name in chosen if name]
        if uploads:
            own = private / secrets.token_hex(8) / side
            paths.append(store_uploads(uploads, own, alone=single and side != "notes"))
        for number, path in enumerate(paths, 2):
            yield (f"system{number}" if side == OTHERS else side), path


def launch(  # noqa: PLR0913 - as on the command line
    folder: Path | None,
    *,
    copy_demo: Callable[[Path], None],
    port: int | None = None,
    open_browser: bool = False,
    announce: Callable[[str], None] = print,
    wishes: Wishes = NO_WISHES,
) -> None:
    """Serve the application on 127.0.0.1 until it is stopped.

    Args:
        folder: the folder to choose files from; None for a demo.
        copy_demo: writes the demo to a path.
        port: the port; None for the first free one from 7860.
        open_browser: whether to open the page in a browser.
        announce: called with the address once it is served.
        wishes: the initial values of the fields.

    Raises:
        InputError: Gradio is not installed, there is no such folder, or the port is in use.
    """
    if folder is not None and not is_directory(folder):
        raise InputError("no such directory", where=name_path(folder))
    os.environ["GRADIO_ANALYTICS_ENABLED"] = "False"
    os.environ["GRADIO_RUN_HISTORY"] = "False"  # the history would stay in the browser
    with scratch_folder() as private, listen(port) as bound:
        os.environ["GRADIO_TEMP_DIR"] = str(private)
        gradio = need("gradio", "app", "the application needs Gradio, which is not installed")
        if folder is None:
            folder = private / "demo"
            copy_demo(folder)
        app = build_app(gradio, folder, private, wishes)
        guard = guard_app(gradio, app, private, bound.getsockname()[1])

        def welcome() -> None:
            announce(guard.address)
            if open_browser:
                webbrowser.open(guard.issue_ticket())

        with suppress(KeyboardInterrupt):
            serve(guard, bound, welcome)


def guard_app(gr: ModuleType, app: Blocks, private: Path, port: int) -> Guard:
    """Serve the application under its secret path, behind a guard that checks every request.

    The application writes to ``private``. ``port`` of 127.0.0.1 is bound.
    """
    from fastapi import FastAPI

    around = FastAPI(openapi_url=None)  # no pages of its own
    guard = Guard(around, port)
    gr.mount_gradio_app(
        around,
        app,
        path=f"/{guard.token}",
        allowed_paths=[str(private)],
        show_error=False,
        **serving_settings(gr),
    )
    return guard


def build_app(gr: ModuleType, folder: Path, private: Path, wishes: Wishes = NO_WISHES) -> Blocks:
    """Build the application; ``wishes`` are the initial values of its fields."""
    choices = ["", *list_choices(folder)]
    names = [challenge.name for challenge in all_challenges() if challenge.faces.page]
    with gr.Blocks(title="clineval Workbench", analytics_enabled=False) as app:
        gr.Markdown(
            "# clineval Workbench\n"
            "See the errors of a system, or of several. Choose files and directories from "
            f"{in_markdown(folder.resolve().name)}, or upload them. Nothing leaves this computer."
        )
        with gr.Row():
            module = gr.Dropdown(names, label="Metric", elem_id="module")
            config = gr.Dropdown(_configs(names[0]), label="Configuration", elem_id="config")
            protocol = gr.Radio(**_protocols(names[0]), label="Protocol", elem_id="protocol")
            with_text = gr.Checkbox(
                value=True, label="Include the notes' texts", elem_id="with-text"
            )
        with gr.Row():
            fields = [
                gr.Textbox(value, label=label, placeholder=example, elem_id=name)
                for name, label, example, value in (
                    ("labels", "Labels to score", "all", wishes.labels),
                    ("slots", "Slots to score", "such as negated,severity", wishes.slots),
                    ("cluster-by", "Resample together by", "such as prefix", wishes.cluster_by),
                )
            ]
        inputs = []
        with gr.Row():
            for side, label in SIDES.items():
                with gr.Column(min_width=200):
                    several = side == OTHERS
                    inputs.append(
                        gr.Dropdown(
                            choices[several:],
                            label=label,
                            value=[] if several else "",
                            multiselect=several,
                            elem_id=f"{side}-path",
                        )
                    )
                    inputs.append(
                        gr.File(
                            label="or upload",
                            file_count="multiple",
                            elem_id=f"{side}-files",
                            height=140,
                        )
                    )
        run = gr.Button("Show", variant="primary", elem_id="show")
        frame = gr.HTML(elem_id="frame")
        with gr.Row():
            report = gr.DownloadButton("Download the report", visible=False, elem_id="report")
            measures = gr.DownloadButton("Outcome measures", visible=False, elem_id="measures")

        def show(*values: Any) -> list[object]:
            try:
                paths = dict(read_sides(values[0], values[7:], folder, private))
                labels, slots, cluster_by = (value or "" for value in values[4:7])
                asked = replace(wishes, labels=labels, slots=slots, cluster_by=cluster_by)
                result = write_report(
                    Request(values[0], values[1], values[2], paths, values[3], asked), private
                )
            except InputError as error:
                problem = f'<div id="problem" role="alert">{escape(str(error))}</div>'
                return [problem, gr.update(visible=False), gr.update(visible=False)]
            return [
                _frame(result),
                gr.update(value=str(result.report), visible=True),
                gr.update(value=str(result.measures), visible=True),
            ]

        module.change(
            lambda name: gr.update(choices=_configs(name), value="default"), module, config
        )
        module.change(lambda name: gr.update(**_protocols(name)), module, protocol)
        given = [module, config, protocol, with_text, *fields, *inputs]
        run.click(show, given, [frame, report, measures])
        mark_ready(app)
    return app


def _configs(module: str) -> list[str]:
    return list(find_challenge(module).task.configs)


def _protocols(module: str) -> dict[str, object]:
    """Return the choices of a field for protocols, and the first as its value."""
    names = [*find_challenge(module).protocols]
    return {"choices": names, "value": names[0]}


def _frame(result: Result) -> str:
    """Show the report, a file of the same origin, in a frame, with the warnings above it."""
    address = escape(f"gradio_api/file={result.report}", quote=True)
    return (
        f'{write_notes(result.warnings)}<iframe src="{address}" title="Workbench" '
        'style="width:100%;height:860px;border:1px solid #8888"></iframe>'
    )
