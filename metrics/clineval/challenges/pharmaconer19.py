"""PharmaCoNER 2019 (BioNLP-OST): Pharmacological substances in Spanish clinical cases.

Sub-track 1 (``ner``, and ``default``): mentions with a span and a label, NORMALIZABLES,
NO_NORMALIZABLES or PROTEINAS. ``strict``: the same fragments and the same label; of each label too,
such as ``proteinas_strict_f1``, and ``macro_``, the mean over the labels that either side has.
Mentions of a case that agree in fragments and label are one. Mentions labelled UNCLEAR are dropped
on both sides (``unclear="kept"`` keeps them, as a label of their own), so that another label there
is a false positive.

Sub-track 2 (``indexing``, *concept indexing*): the set of codes of each document, SNOMED CT
numbers, CHEBI or ``<null>``, compared without case: ``micro_``. With the gold mentions
(``annotations``) a gold code that notes give to UNCLEAR mentions only is dropped; predicting it is
a false positive.

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

All are micro-averages; a score whose denominator is 0 is 0. Documents of one side count: all
missed, or all spurious. What no prediction covers, in ``ner``, in all and of each label (see
:mod:`clineval.mentions.leak`): ``leaked_characters``, ``leaked_mentions`` and
``leaked_whole_mentions``, with ``_share``.

``protocol="official"`` gives the numbers of the CODALAB script, the one behind the ranking:
documents that both sides have; codes as they are written; a row that names another document counts,
and is never dropped. The stand-alone script differs in UNCLEAR, which it keeps; its stand-in is
``clineval official pharmaconer-2019``.

Sources: Gonzalez-Agirre et al. (2019); https://temu.bsc.es/pharmaconer/, Evaluation and Examples;
https://github.com/PlanTL-GOB-ES/PharmaCoNER-CODALAB-Evaluation-Script.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from clineval.challenge import Challenge, ClassSlot, Demo, Difference, Grid, Option, Setup
from clineval.codes.corpus import CodeCorpus, join_codes
from clineval.codes.rows import CODE, as_side, number
from clineval.errors import InputError, InputWarning, listed, shown
from clineval.formats import brat_columns, brat_words, indexing_tsv
from clineval.formats.indexing_tsv import Noted, read_as_script, read_notes
from clineval.inputs.code_lists import read_codes
from clineval.inputs.mentions import read_side
from clineval.inputs.texts import with_texts
from clineval.mentions.columns import MentionColumns, Side
from clineval.mentions.corpus import Corpus, Reading, join_sides
from clineval.mentions.derived import keep
from clineval.mentions.documents import keep_common
from clineval.mentions.labelled import MATCHES, LabelScheme, pair_lenient, pair_strict
from clineval.mentions.leak import finish_leak, grid_of_leak, tally_leak
from clineval.mentions.matching import agreement
from clineval.mentions.outcomes import (
    VERDICTS,
    Match,
    MatchKind,
    Outcomes,
    Pairing,
    columns_of,
    join_pairings,
    list_matches,
    list_units,
)
from clineval.mentions.pairing import pair_same_spans
from clineval.mentions.slots import Slot
from clineval.mentions.tagged import as_mentions
from clineval.paths import Source, find_path, is_directory, name_path
from clineval.problems import Problem
from clineval.ratios import Columns, Number, Totals, precision_recall_f1, prf_keys
from clineval.views import DocView, ItemCheck, ListView, MentionView, Preset, check_prf, short_prf

LABELS = ("NORMALIZABLES", "NO_NORMALIZABLES", "PROTEINAS")
UNCLEAR = "UNCLEAR"
LABEL = Slot("label", "label", required=True)
SLOTS = (LABEL,)
READING = Reading(strict=True, values="folded", repeats="merged", documents="all")


@dataclass(frozen=True, slots=True)
class Rules:
    """The rules on which the protocols differ.

    Args:
        official: whether the released script's rules count.
    """

    official: bool

    def fold(self, code: str) -> str:
        """The form in which codes are compared."""
        return code if self.official else code.strip().lower()


SPEC, OFFICIAL = Rules(official=False), Rules(official=True)
PROTOCOLS = {"spec": SPEC, "official": OFFICIAL}


class _Brat:
    """brat's files, read strictly or as the scripts do."""

    FILES: str = brat_columns.FILES
    UNREAD: AbstractSet[str] = frozenset({"cui"})

    @staticmethod
    def document_key(name: str) -> str:
        """Names without the ending of a file."""
        return name.removesuffix(".txt")

    @staticmethod
    def read_side(source: Source, slots: Sequence[Slot], *, strict: bool) -> Side:
        """Read a directory, a file or a text."""
        if strict:
            return brat_columns.read_side(source, slots[0], ()).side
        return brat_words.read_side(source, slots[0].name)

    @staticmethod
    def read_strings(strings: Sequence[str], slots: Sequence[Slot], *, strict: bool) -> Side:  # noqa: ARG004
        """One string of lines for each document."""
        return brat_columns.read_strings(strings, slots[0], ()).side


def read(references: Any, predictions: Sequence[Any], setup: Setup) -> tuple[Side, list[Side]]:
    """Both sides: brat's files, JSON Lines, lists of dicts, or Documents; codes as TSV or lists."""
    if setup.config == "indexing":
        return _read_codes(references, predictions, setup)

    def read_one(given: Any, side: str) -> Side:
        strict = not setup.rules.official
        found = read_side(given, SLOTS, strict=strict, side=side, text_format=_Brat())
        if setup["unclear"] == "kept":
            return found
        scored = keep(LABEL, lambda label: label != UNCLEAR)
        return replace(found, mentions=scored(found.mentions, {}))

    gold = with_texts(read_one(references, "references"), setup["texts"])
    return gold, [read_one(given, "predictions") for given in predictions]


def _read_codes(
    references: Any, predictions: Sequence[Any], setup: Setup
) -> tuple[Side, list[Side]]:
    read_files = as_codes if setup.rules.official else indexing_tsv.read_side

    def read_one(given: Any, side: str) -> Side:
        return read_codes(given, side, read_files, places=False)

    found = [read_one(given, "predictions") for given in predictions]
    if setup["annotations"] is None:
        return read_one(references, "references"), found
    if setup.rules.official and isinstance(references, (str, os.PathLike)):
        return _read_clear_rows(references, setup["annotations"]), found
    return _drop_unclear(read_one(references, "references"), setup), found


def as_codes(source: Source, pattern: str = indexing_tsv.FILES) -> Side:
    """Codes as the released scripts read them.

    Args:
        source: a directory, a file, or the text itself.
        pattern: regular expression for the names of files.
    """
    return _as_side(*read_as_script(source, pattern))


def _as_side(names: tuple[str, ...], rows: Sequence[indexing_tsv.Row]) -> Side:
    _, numbers = number([*names, *(row.document for row in rows)])
    both = zip(numbers[len(names) :], rows, strict=True)
    return as_side(names, ((at, row.code, ()) for at, row in both))


def _read_clear_rows(source: Source, folder: Path) -> Side:
    """The rows but for codes of unclear mentions alone, if they name the file's document."""
    names, rows = read_as_script(source)
    noted = read_notes(folder, names, UNCLEAR)
    missing = [name for name in names if name not in noted]
    if missing:
        raise InputError(
            f"{len(missing)} documents have no annotations, at which the released script stops: "
            f"{listed(missing)}",
            where=name_path(folder),
        )
    clear = [r for r in rows if r.named != r.document or not _is_unclear(r.code, noted[r.document])]
    return _as_side(names, clear)


def _is_unclear(code: str, noted: Noted) -> bool:
    return code in noted.theirs and code not in noted.others


def _drop_unclear(gold: Side, setup: Setup) -> Side:
    """The gold codes but for those of unclear mentions alone."""
    fold = setup.rules.fold
    noted = {
        name: Noted(*(frozenset(map(fold, codes)) for codes in of))
        for name, of in read_notes(setup["annotations"], gold.documents, UNCLEAR).items()
    }
    codes = gold.mentions.attributes[CODE]
    nothing = Noted(frozenset(), frozenset())
    kept = [
        row
        for row, document in enumerate(gold.mentions.document.tolist())
        if not _is_unclear(
            fold(codes.values[codes.ids[row]]), noted.get(gold.documents[document], nothing)
        )
    ]
    missing = [name for name in gold.documents if name not in noted]
    if missing:
        problem = "{n} documents have no annotations, and all their codes count: {names}"
        warnings.warn(InputWarning(problem, missing, n=len(missing)), stacklevel=3)
    return replace(gold, mentions=gold.mentions.take(np.array(kept, np.int64)))


def join(gold: Side, predicted: Side, setup: Setup) -> Corpus | CodeCorpus:
    """Both sides together."""
    if setup.rules.official:
        gold, predicted = keep_common(gold, predicted)
    if setup.config != "indexing":
        return join_sides(gold, predicted, SLOTS, READING)
    corpus = join_codes(gold, predicted, setup.rules.fold)
    return corpus.labelled(LABEL.name, str)  # what a code is to whatever looks at classes


def settings(setup: Setup) -> Mapping[str, str]:
    """What the numbers depend on besides the protocol."""
    if setup.config == "indexing":
        return {"unclear": "kept" if setup["annotations"] is None else "dropped"}
    return {"unclear": setup["unclear"]}


def scheme_of(*, unclear: bool) -> LabelScheme:
    """The labels that are scored; with UNCLEAR if such mentions are kept."""
    return LabelScheme(LABEL, (*LABELS, *([UNCLEAR] if unclear else [])), ("strict",))


def pair(corpus: Any, setup: Setup) -> Pairing:
    """The pairs of mentions, or of codes."""
    if setup.config == "indexing":
        same = corpus.find_same()
        return {"micro": same, "code": same}
    strict = pair_strict(corpus, SLOTS)
    boundary = pair_same_spans(corpus, agreement(corpus, SLOTS))
    return {
        "strict": strict,
        "boundary": boundary,
        "lenient": pair_lenient(corpus, strict, LABEL),
        "overlap": pair_lenient(corpus, boundary, None),
    }


def tally(corpus: Any, pairing: Pairing, setup: Setup) -> Columns:
    """The counts of each document."""
    if setup.config == "indexing":
        return _tally_codes(corpus, pairing["micro"])
    scheme = scheme_of(unclear=setup["unclear"] == "kept")
    sides = corpus.gold.columns, corpus.prediction.columns
    leak = tally_leak(*sides, len(corpus.documents), {LABEL.name: scheme.labels})
    return {**scheme.tally(corpus, {"strict": pairing["strict"]}), **leak}


def _tally_codes(corpus: CodeCorpus, pairs: Any) -> Columns:
    size = len(corpus.documents)
    found = np.bincount(corpus.gold.document[pairs.gold], minlength=size)
    return {
        "micro_tp": found,
        "micro_fp": corpus.prediction.sizes(size) - found,
        "micro_fn": corpus.gold.sizes(size) - found,
    }


def list_outcomes(corpus: Any, pairings: Sequence[Pairing], setup: Setup) -> Outcomes:
    """What became of every mention, or of every code."""
    if setup.config == "indexing":
        sizes = len(corpus.gold), len(corpus.prediction)
        units = list_units(pairings[0]["micro"], *sizes)
        match = Match(*units, VERDICTS, columns_of("micro"))
        return _outcomes(setup, corpus, corpus.gold, corpus.prediction, {"micro": match}, "micro")
    pairing = join_pairings(corpus.blocks(), pairings)
    scheme = scheme_of(unclear=setup["unclear"] == "kept")
    kinds = {name: MatchKind({}, scheme.kinds["strict"].compare) for name in pairing}
    matches = {**list_matches(corpus, pairing, kinds), **scheme.list_matches(corpus, pairing)}
    sides = corpus.gold.columns, corpus.prediction.columns
    return _outcomes(setup, corpus, *sides, matches, "overlap")


def _outcomes(  # noqa: PLR0913, PLR0917 - what outcomes consist of
    setup: Setup,
    corpus: Any,
    gold: MentionColumns,
    prediction: MentionColumns,
    matches: Mapping[str, Match],
    widest: str,
) -> Outcomes:
    documents = corpus.documents
    return Outcomes(CHALLENGE, setup.config, documents, gold, prediction, matches, widest, finish)


def finish(totals: Totals, config: str) -> dict[str, Number]:
    """Scores from totals; see the top of the file for the formulas."""
    if config == "indexing":
        return precision_recall_f1("micro", totals)
    scheme = scheme_of(unclear="unclear_strict_tp" in totals)
    return scheme.finish(totals) | finish_leak(totals, scheme.labels)


def _parse_folder(given: Any) -> Path | None:
    if given is None:
        return None
    if not isinstance(given, (str, os.PathLike)):
        raise InputError(f"expected a directory, got {shown(given)}", where="annotations")
    path = find_path(given, problem="no such directory")
    if path is None or not path.is_dir():
        raise InputError("expected a directory, got a file", where=name_path(given))
    return path


def find_problems(paths: Sequence[Path]) -> Iterator[Problem]:
    """All problems of brat's files, and of TSV; a directory without ``.ann`` is one of codes."""
    for path in paths:
        if path.suffix == ".tsv" or (is_directory(path) and not any(path.glob("*.ann"))):
            yield from indexing_tsv.find_problems(path)
        else:
            yield from brat_columns.find_problems([path], Slot("label", "label"), ())


_HEADINGS = ("P", "R", "F1", "TP", "FP", "FN")
CHALLENGE = Challenge(
    name="pharmaconer19",
    kind="mentions",
    title="PharmaCoNER 2019: Pharmacological Substances, Compounds and Proteins",
    configs={
        "default": "sub-track 1, mentions",
        "ner": "sub-track 1, mentions",
        "indexing": "sub-track 2, the codes of each document",
    },
    protocols=PROTOCOLS,
    differences=(
        Difference(
            "a document on one side only",
            "counts: all missed, or all spurious",
            "is ignored",
            "ner_documents_on_one_side",
        ),
        Difference("case of codes", "does not matter", "matters", "idx_code_case"),
        Difference(
            "a row that names another document than its file",
            "is refused with file and line",
            "counts for the file's document, and is no unclear code",
            "idx_other_id_counts_with_warning",
        ),
        Difference(
            "a discontiguous mention", "has fragments", "is refused", "ner_discontinuous_kills"
        ),
        Difference(
            "a line of brat's that cannot be read",
            "is refused with file and line",
            "is passed over if a word is missing",
            "ner_line_without_tab",
        ),
        Difference("a blank line of codes", "is passed over", "is refused", "idx_blank_line_kills"),
        Difference(
            "gold annotations of a document that are missing",
            "are warned about, and all its codes count",
            "are refused",
            "idx_gold_ann_missing_kills_codalab",
        ),
    ),
    options=(
        Option(
            "unclear",
            "Whether mentions labelled UNCLEAR are dropped, or kept as a label.",
            "dropped",
            "choice",
            choices=("dropped", "kept"),
        ),
        Option(
            "annotations",
            "Directory of the gold mentions with notes, for codes of UNCLEAR mentions.",
            kind="file",
            python="for indexing: the path of the gold mentions with notes, brat's .ann files; "
            "codes of UNCLEAR mentions alone are dropped from the gold standard.",
            parse=_parse_folder,
        ),
        Option(
            "texts",
            "Directory of the notes, for reports.",
            None,
            "texts",
            flag="--text",
            python="the text of each document; no score depends on it.",
        ),
    ),
    read=read,
    join=join,
    settings=settings,
    pair=pair,
    tally=tally,
    finish=finish,
    list_outcomes=list_outcomes,
    build=as_mentions(label="label"),
    class_slot=ClassSlot("label", "label"),
    view=MentionView(
        checks=check_prf("strict", "exact", "both"),
        presets=(Preset("strict", "exact", "both", "strict_f1"),),
        slots=lambda _: SLOTS,
        matches=MATCHES,
    ),
    code_views={
        "indexing": ListView(
            checks=(
                ItemCheck("micro_tp", "codes", ("right",)),
                ItemCheck("micro_fp", "codes", ("spurious",)),
                ItemCheck("micro_fn", "codes", ("missed",)),
            ),
            headline="micro_f1",
            measures={"micro_f1": "F1"},
        )
    },
    docs=DocView(
        prefix="pha19",
        names={**short_prf("strict", "ner"), "leaked_mentions_share": "leak"},
        columns={"default": ("strict_f1", "leaked_mentions_share")},
        group="clin",
        slots=lambda _: SLOTS,
        format="brat",
    ),
    ranking={"default": ("strict_f1",)},
    scripts=("pharmaconer-2019",),
    demo=Demo(
        "PharmaCoNER 2019: a dictionary and a tagger on 6 cases in Spanish",
        "gold",
        {"dictionary": "dictionary", "tagger": "tagger"},
        headline=2,
    ),
    grids=(
        Grid("Sub-track 1: entities", _HEADINGS, {"strict": prf_keys("strict")}),
        Grid("Sub-track 2: concept indexing", _HEADINGS, {"codes": prf_keys("micro")}),
        *scheme_of(unclear=True).grids("Labels"),
        grid_of_leak("What no prediction covers", LABELS),
    ),
    homepage="https://temu.bsc.es/pharmaconer/",
    citation="""\
@inproceedings{gonzalez-agirre-etal-2019-pharmaconer,
    title = "{P}harma{C}o{NER}: Pharmacological Substances, Compounds and proteins Named Entity
        Recognition track",
    author = "Gonzalez-Agirre, Aitor and Marimon, Montserrat and Intxaurrondo, Ander and
        Rabal, Obdulia and Villegas, Marta and Krallinger, Martin",
    booktitle = "Proceedings of the 5th Workshop on BioNLP Open Shared Tasks",
    year = "2019",
    pages = "1--10",
    doi = "10.18653/v1/D19-5701",
}""",
    headline=("strict_f1", "micro_f1"),
    shown_per_document=("strict_f1", "strict_tp", "strict_fp", "strict_fn", *prf_keys("micro")),
    validate=find_problems,
)
