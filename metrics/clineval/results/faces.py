"""Faces of a challenge besides scores: its page, Docs, checks of files and stand-ins."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from itertools import chain
from typing import TYPE_CHECKING

from clineval.results.measures import Measures
from clineval.results.options import Option
from clineval.results.views import DocView, ListView, MentionView, fit_names, take_initials

if TYPE_CHECKING:  # a score has neither
    from clineval.base.problems import Problem
    from clineval.results.scripts import ScriptRun


@dataclass(frozen=True, slots=True)
class Faces:
    """Everything that a challenge offers besides scores; all of it is optional.

    Args:
        page: the annotations that the Workbench (``clineval report``) shows, and the scores that it
            recounts; None for a challenge without a page.
        pages: configuration to its page, if it is not ``page``.
        docs: how spaCy's Docs hold the annotation, and which scores the training table shows; None
            for the default (:func:`~clineval.results.views.usual_docs`) if it fits.
        printed: the dotted name of the module that stands in for the released scripts, imported on
            demand. Its ``COMMANDS`` map names to functions with typer's annotations and a docstring
            as help; they return a :class:`ScriptRun`.
        scripts: the names of these stand-ins, as in ``clineval official NAME``.
        formats: the dotted name of the module that reads and writes documents of mentions in the
            challenge's own formats, imported on demand. Its ``FORMATS`` map names to objects
            (:class:`~clineval.formats.by_name.Format`).
        validate: lists all problems of files for ``clineval validate``, if the challenge needs more
            than :meth:`~clineval.results.protocol.Protocol.check`.
        validation_options: options of ``clineval validate``.
        tables: the options that name columns, first the column of document names, if a side may be
            a Parquet file with several columns of annotations; None if it may not.
        one_file: whether one file may hold both the gold standard and the predictions.
        single_files: whether a side may be a single file, and not only a directory.
        notes_apart: whether the notes' texts are in separate files.
        needs: an optional package that scoring imports, and the extra that installs it.
        prevalence: computes weights of slot values from gold corpora; None without weights.
    """

    page: MentionView | ListView | None = None
    pages: Mapping[str, MentionView | ListView] = field(default_factory=dict)
    docs: DocView | None = None
    printed: str = ""
    scripts: tuple[str, ...] = ()
    formats: str = ""
    validate: Callable[..., Iterable[Problem]] | None = None
    validation_options: tuple[Option, ...] = ()
    tables: tuple[str, ...] | None = None
    one_file: bool = False
    single_files: bool = True
    notes_apart: bool = False
    needs: tuple[str, str] | None = None
    prevalence: Callable[..., Mapping[str, object]] | None = None

    @property
    def commands(self) -> Mapping[str, Callable[..., ScriptRun]]:
        """Import the stand-ins of released scripts, and return them by name."""
        return import_module(self.printed).COMMANDS if self.printed else {}

    def with_configurations(self, others: Mapping[str, Faces]) -> Faces:
        """Return a copy with the pages of configurations.

        Args:
            others: configuration to its faces.
        """
        pages = {config: of.page for config, of in others.items() if of.page}
        return replace(self, pages={**pages, **self.pages})

    def of(self, name: str, measures: Measures) -> Faces:
        """Return a copy whose views get the checks and names of the measures, if they have none.

        ``name`` is the name of the challenge.
        """
        docs, page = self.docs, self.page
        if docs:
            prefix = docs.prefix or take_initials(name)
            shown = dict.fromkeys(chain.from_iterable(docs.columns.values()))
            names = docs.names or fit_names(prefix, measures.short_names, shown)
            docs = replace(docs, prefix=prefix, names=names)
        pages = {config: view.with_scores(measures) for config, view in self.pages.items()}
        return replace(self, docs=docs, page=page and page.with_scores(measures), pages=pages)

    def page_of(self, config: str) -> MentionView | ListView | None:
        """Return the page of a configuration; None if there is none."""
        return self.pages.get(config, self.page)
