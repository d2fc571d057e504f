"""Files, systems and filters of evaluate.py, the released script of i2b2 2014."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from clineval.base.errors import InputError, agree, read_each
from clineval.base.files import name_path
from clineval.formats.files import TextFile
from clineval.formats.given.records import read_records
from clineval.formats.i2b2_annotations import TagFiles, has_place
from clineval.formats.i2b2_xml import FILES, Tag, find_record, parse_document_tags
from clineval.kinds.mentions.columns import Side, concatenate
from clineval.kinds.pages import AnyScored
from clineval.programs.record_report import BETWEEN, format_report
from clineval.results.listed import Listed
from clineval.results.scripts import Output, ScriptRun

_MISSING = "\0"
"""Stands for a missing attribute, which equals no word."""


def refuse_other_files(gold: Path) -> None:
    """Reject a folder of the gold standard with files that are not XML.

    Raises:
        InputError: there are such files; the released script stops at the first one.
    """
    listed = gold.iterdir() if gold.is_dir() else ()
    others = [path.name for path in listed if not path.name.endswith("xml")]
    if others:
        problem = agree("{n} {file is|files are} not XML", len(others))
        raise InputError(
            f"{problem}: the released script stops here",
            where=name_path(gold),
            remedy="Keep only the notes' XML in the directory",
        )


def pair_systems(found: Side | None, gold: Side) -> tuple[list[str], tuple[Side, Side]]:
    """Split systems by the part of file names after the record, and repeat gold for each.

    Args:
        found: the predictions of all systems, by names of files; None if there are none.
        gold: the gold standard, by names of files.

    Returns:
        The names of the systems, and both sides; the name of a document contains its system.
    """
    if found is None:
        return [], (gold, replace(gold, mentions=gold.mentions.take(np.zeros(0, np.int64))))
    records = [find_record(name) for name in found.documents]
    suffixes = [name[len(r) :] for name, r in zip(found.documents, records, strict=True)]
    systems = sorted(set(suffixes))
    keys = tuple(f"{s}{BETWEEN}{r}" for s, r in zip(suffixes, records, strict=True))
    golds = list(map(find_record, gold.documents))
    size = len(golds)
    parts = [
        replace(gold.mentions, document=gold.mentions.document + at * size)
        for at in range(len(systems))
    ]
    gold_keys = tuple(f"{system}{BETWEEN}{record}" for system in systems for record in golds)
    repeated = Side(gold_keys, gold_keys, concatenate(parts), gold.texts * len(systems))
    return systems, (repeated, Side(keys, keys, found.mentions, found.texts))


@dataclass(frozen=True, slots=True)
class TagFilter:
    """The tags that are scored.

    Args:
        words: each word, and the attributes in which the script looks for it; none for the name of
            an element, and for an unknown word, which every tag matches.
        elements: the name of each element to its attributes.
        conjunctive: whether a tag must match all words.
        invert: whether to score the other tags.
    """

    words: Mapping[str, Sequence[str]]
    elements: Mapping[str, Sequence[str]]
    conjunctive: bool = False
    invert: bool = False

    @classmethod
    def of(
        cls,
        words: str,
        elements: Mapping[str, Sequence[str]],
        lists: Mapping[str, Sequence[str]],
        *,
        conjunctive: bool,
        invert: bool,
    ) -> TagFilter:
        """Find the attributes of words between commas.

        Args:
            words: the words.
            elements: the name of each element to its attributes.
            lists: the name of each attribute to the values that the script knows; it only knows
                them in lower case.
            conjunctive: see :class:`TagFilter`.
            invert: see :class:`TagFilter`.
        """
        found = {
            word: [name for name, values in lists.items() if word in map(str.lower, values)]
            for word in words.split(",")
        }
        return cls(found, elements, conjunctive, invert)

    @property
    def warnings(self) -> str:
        """The script's warnings about words that it does not know."""
        unknown = [w for w, found in self.words.items() if not found and w not in self.elements]
        start = "WARNING: could not find valid class attribute for"
        return "".join(f'{start} "{word}", + skipping.\n' for word in unknown)

    def keeps(self, tag: Tag) -> bool:
        """Return whether a tag is scored."""
        combine = all if self.conjunctive else any
        return combine(self._matches(tag, word) for word in self.words) != self.invert

    def _matches(self, tag: Tag, word: str) -> bool:
        if word in self.elements:
            return tag.element == word
        found = self.words[word]
        there = [name for name in found if name in self.elements[tag.element]]
        values = {tag.attributes.get(name, _MISSING).lower() for name in there}
        return not found or word in values


@dataclass(frozen=True, slots=True)
class ScriptTagFiles(TagFiles):
    """Files as the script reads them.

    Args:
        kept: the tags that are scored; None for all.
        name: returns the name of a document, from the name of its file.
    """

    kept: TagFilter | None = None
    name: Callable[[str], str] = find_record

    def list_xml(self, file: TextFile) -> Listed:
        """Return the document of an XML file.

        Raises:
            InputError: the file is not supported XML, or has an element that stops the script.
        """
        record = parse_document_tags(file)
        tags = [tag for tag in record.tags if tag.element in self.elements and not has_place(tag)]
        read_each(self._check_inside, ((tag, f"{file.label}:{tag.line}") for tag in tags))
        scored = filter(self.kept.keeps, tags) if self.kept else tags
        content = list(map(self.as_record, scored))
        return Listed(file.label, self.name_file(file), content, record.text)

    def name_file(self, file: TextFile) -> str | None:
        """Return the name of a file's document; None for a string."""
        return self.name(file.stem) if file.stem else None

    def _check_inside(self, tag: Tag, where: str) -> None:
        if not self.elements.keys() >= set(tag.inside):
            problem = "expected no comments and only tags inside a tag"
            raise InputError(f"{problem}: the released script stops here", where=where)


def read_by_name(paths: Iterable[Path], form: ScriptTagFiles) -> Side:
    """Read the files of all paths, by their names; a later file replaces an earlier one."""
    whole = replace(form, name=str)
    listed = {each.name: each.content for path in paths for each in whole.list_files(path)}
    return read_records(listed, "", form, strict=True)


def read_systems(paths: Iterable[Path], form: ScriptTagFiles) -> Side | None:
    """Read the files of systems by their names; None if the directories have no XML files."""
    kept = [
        path
        for path in paths
        if not path.is_dir() or any(re.search(FILES, one.name) for one in path.iterdir())
    ]
    return read_by_name(kept, form) if kept else None


def run_tags(
    systems: Sequence[Path], gold: Path, form: ScriptTagFiles, match: str, *, verbose: bool
) -> ScriptRun:
    """Score tags as the script does.

    Args:
        systems: the directories of the systems, or a file.
        gold: the gold standard, a directory or a file.
        form: reads the files.
        match: the beginning of the names of the counts.
        verbose: whether to print the scores of each record too.
    """
    refuse_other_files(gold)
    found = read_systems(systems, form)
    names, (golds, predictions) = pair_systems(found, read_by_name([gold], form))
    whole = gold.is_dir() or any(path.is_dir() for path in systems)
    shown = {"whole": whole, "verbose": verbose or not whole}

    def write(evaluation: AnyScored) -> Iterator[Output]:
        yield Output(form.kept.warnings if form.kept else "")
        for name in names:
            yield Output(format_report(evaluation.counts, name, {"": match}, **shown))

    return ScriptRun("default", predictions, golds, write)
