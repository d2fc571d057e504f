"""Score the invented corpora of the paper, with commands and with other libraries.

Each number has a name. :data:`COMMANDS` has the command of each number, as it runs in the folder
that ``paper/corpus.py`` writes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import chdir
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from corpus import WIDTH, Mention, Note, make_variants, write_corpora
from typer.testing import CliRunner

from clineval.cli import make_app

if TYPE_CHECKING:  # an extra
    from spacy.training import Example

ICD = "icd_coding icd_coding/gold.jsonl icd_coding/{}.jsonl --codes icd_coding/codes.txt"
SPANS = "clinical_spans clinical_spans/gold clinical_spans/found"
MEDDOCAN = "meddocan19 meddocan19/gold meddocan19/found"
PHARMACONER = "pharmaconer19 pharmaconer19/gold pharmaconer19/found"
MULTICLINAI = "multiclinai26 multiclinai26/gold.tsv multiclinai26/found.tsv"
N2C2 = "n2c2_2018_track2 n2c2_2018_track2/gold n2c2_2018_track2/found --config concepts"
CHEMU = "chemu20 chemu20/gold chemu20/found --config entities"
I2B2 = "i2b2_2010 i2b2_2010/gold i2b2_2010/found --config concepts"
COHORT = "n2c2_2018_track1 n2c2_2018_track1/gold n2c2_2018_track1"
GUT = "gutbrainie26 gutbrainie26/gold.json gutbrainie26/found.json --config ner"
DRUGPROT = (
    "drugprot21 drugprot21/gold.tsv drugprot21/found.tsv "
    "--entities drugprot21/entities.tsv --pmids drugprot21/pmids.txt"
)
ORDER = "i2b2_2012_temporal i2b2_2012_temporal/{} i2b2_2012_temporal/system --config links"
SPEC, OFFICIAL = " --protocol spec", " --protocol official"

MEANS = (
    ("icd_list", "edin", "macro_f1_mullenbach"),
    ("icd_caml", "caml", "macro_f1"),
    ("icd_either", "spec", "macro_f1"),
    ("icd_edin", "edin", "macro_f1"),
    ("icd_documents", "spec", "document_f1"),
    ("icd_micro", "caml", "micro_f1"),
    ("icd_micro_edin", "edin", "micro_f1"),
)
"""Number of codes, protocol and score."""
COMMANDS: Mapping[str, tuple[str, str]] = {
    **{
        f"{name}_{side}": (f"{ICD.format(side)} --protocol {protocol}", key)
        for side in ("found", "cautious")
        for name, protocol, key in MEANS
    },
    "icd_at8": (f"{ICD.format('found')} --protocol caml", "precision_at_8"),
    "icd_at8_edin": (f"{ICD.format('found')} --protocol edin", "precision_at_8"),
    "cohort_perfect": (f"{COHORT}/gold{OFFICIAL}", "macro_overall_f1"),
    "cohort_perfect_spec": (f"{COHORT}/gold{SPEC}", "macro_overall_f1"),
    "cohort": (f"{COHORT}/system{OFFICIAL}", "micro_overall_f1"),
    "cohort_without": (f"{COHORT}/without{OFFICIAL}", "micro_overall_f1"),
    "cohort_without_spec": (f"{COHORT}/without{SPEC}", "micro_overall_f1"),
    "gut": (GUT + OFFICIAL, "micro_precision"),
    "gut_spec": (GUT + SPEC, "micro_precision"),
    "drugprot": (DRUGPROT + OFFICIAL, "micro_f1"),
    "drugprot_spec": (DRUGPROT + SPEC, "micro_f1"),
    "order_after": (ORDER.format("after") + OFFICIAL, "links_f1"),
    "order_after_spec": (ORDER.format("after") + SPEC, "links_f1"),
    "order_before": (ORDER.format("before") + OFFICIAL, "links_f1"),
    "order_before_spec": (ORDER.format("before") + SPEC, "links_f1"),
}
"""Number to the words after ``clineval score``, and the name of the score."""
SPAN_COMMANDS: Mapping[str, tuple[str, str]] = {
    "spec_strict": (f"{SPANS}{SPEC}", "strict_f1"),
    "spec_lenient": (f"{SPANS}{SPEC}", "lenient_f1"),
    "meddocan": (MEDDOCAN + OFFICIAL, "strict_f1"),
    "pharmaconer": (PHARMACONER + OFFICIAL, "strict_f1"),
    "multiclinai": (MULTICLINAI + OFFICIAL, "strict_f1"),
    "n2c2_strict": (N2C2 + OFFICIAL, "concepts_micro_strict_f1"),
    "n2c2_lenient": (N2C2 + OFFICIAL, "concepts_micro_lenient_f1"),
    "chemu_exact": (CHEMU + OFFICIAL, "exact_f1"),
    "chemu_overlap": (CHEMU + OFFICIAL, "overlap_f1"),
    "i2b2_strict": (I2B2 + OFFICIAL, "concepts_strict_f1"),
    "i2b2_lenient": (I2B2 + OFFICIAL, "concepts_lenient_f1"),
}
"""The same for mentions. The commands run in the folder of each variant of the notes."""
SYSTEMS = ("system", "without")
SAME = {
    **dict.fromkeys((MEDDOCAN, PHARMACONER, MULTICLINAI), "strict_f1"),
    N2C2: "concepts_micro_strict_f1",
    CHEMU: "exact_f1",
    I2B2: "concepts_strict_f1",
}
"""Modules whose ``spec`` is the same strict F1, and its name."""


@cache
def score_all() -> Mapping[str, float | str]:
    """Return each number by its name; numbers of mentions end with the variant of the notes.

    Raises:
        RuntimeError: a command fails, or two definitions disagree.
    """
    folder = open_corpora()
    values: dict[str, float | str] = {
        each: run(folder, words)[key] for each, (words, key) in COMMANDS.items()
    }
    for variant, notes in make_variants().items():
        found = {**_score_variant(folder / variant), **score_spans(notes)}
        values |= {f"{each}_{variant}": value for each, value in found.items()}
    interval = run(folder / "all", f"{SPANS}{SPEC} --confidence 0.95")
    ends = {end: interval[f"strict_f1_{end}"] for end in ("low", "high")}
    return {**values, **ends, **_count(folder), "signature": _sign(folder / "all")}


def open_corpora() -> Path:
    """Return a folder with the corpora, which exists as long as the process."""
    return Path(_fill_folder().name)


@cache
def _fill_folder() -> TemporaryDirectory[str]:
    folder = TemporaryDirectory()
    write_corpora(Path(folder.name))
    return folder


def _score_variant(folder: Path) -> dict[str, float]:
    values = {each: run(folder, words)[key] for each, (words, key) in SPAN_COMMANDS.items()}
    spec = {run(folder, words + SPEC)[key] for words, key in SAME.items()}
    if spec != {values["spec_strict"]}:
        raise RuntimeError(f"the definitions disagree: {sorted(spec)}")
    return values


def _count(folder: Path) -> dict[str, int]:
    """Return the sizes of the corpora."""
    notes, _, once, flat = make_variants().values()
    codes = (folder / "icd_coding" / "gold.jsonl").read_text("utf-8").splitlines()
    system, without = ([*(folder / "n2c2_2018_track1" / side).iterdir()] for side in SYSTEMS)
    return {
        "notes": len(notes),
        "mentions": sum(len(note.gold or ()) for note in notes),
        "predictions": sum(len(note.found) for note in notes),
        "unannotated": len(notes) - len(once),
        "overlaps": sum(len(note.found) for note in once) - sum(len(note.found) for note in flat),
        "coded": len(codes),
        "list": len((folder / "icd_coding" / "codes.txt").read_text("utf-8").splitlines()),
        "codes_gold": len({code for line in codes for code in json.loads(line)["codes"]}),
        "patients": len(system),
        "omitted": len(system) - len(without),
    }


def run(folder: Path, words: str) -> Mapping[str, float]:
    """Return the scores that ``clineval score`` prints for these words."""
    scores: Mapping[str, float] = _run(folder, words)["scores"]
    return scores


def _sign(folder: Path) -> str:
    return str(_run(folder, MEDDOCAN + OFFICIAL)["signature"])


@cache
def _run(folder: Path, words: str) -> Mapping[str, Any]:
    arguments = ["score", *words.split(), "--format", "json"]
    with chdir(folder):
        done = CliRunner().invoke(make_app(arguments), arguments)
    if done.exit_code:
        raise RuntimeError(f"clineval {' '.join(arguments)}: {done.output}")
    result: Mapping[str, Any] = json.loads(done.stdout)
    return result


def score_spans(notes: Sequence[Note]) -> dict[str, float]:
    """Return the scores of other libraries for the same mentions."""
    from nervaluate.evaluator import Evaluator
    from seqeval.metrics import f1_score

    tags = [[_tag(mentions) for mentions in side] for side in _list_sides(notes)]
    places = [[[_place(m) for m in mentions] for mentions in side] for side in _list_sides(notes)]
    labels = sorted({mention["label"] for note in places[0] for mention in note})
    overall = Evaluator(*places, tags=labels, loader="dict").evaluate()["overall"]
    return {
        "seqeval": float(f1_score(*tags)),
        "nervaluate": overall["strict"].f1,
        "nervaluate_type": overall["ent_type"].f1,
        "spacy": _score_docs(notes),
    }


def _list_sides(notes: Sequence[Note]) -> tuple[list[tuple[Mention, ...]], ...]:
    return [note.gold or () for note in notes], [note.found for note in notes]


def _tag(mentions: Iterable[Mention]) -> list[str]:
    """Return the tags of words; a word belongs to its first mention."""
    tags = ["O"] * WIDTH
    for mention in mentions:
        words = range(mention.first, mention.stop)
        if all(tags[at] == "O" for at in words):
            for at in words:
                tags[at] = f"{'I' if at > mention.first else 'B'}-{mention.label}"
    return tags


def _place(mention: Mention) -> dict[str, str | int]:
    """Return a mention as nervaluate reads it: with its first and its last word."""
    return {"label": mention.label, "start": mention.first, "end": mention.stop - 1}


def _score_docs(notes: Iterable[Note]) -> float:
    """Return spaCy's ``ents_f``; of overlapping predictions Docs keep the longest."""
    from spacy.scorer import get_ner_prf

    scores: dict[str, float] = get_ner_prf(list(_make_examples(notes)))
    return scores["ents_f"]


def _make_examples(notes: Iterable[Note]) -> Iterator[Example]:
    import spacy
    from spacy.tokens import Doc, Span
    from spacy.training import Example
    from spacy.util import filter_spans

    vocabulary = spacy.blank("en").vocab
    for note in notes:
        reference, predicted = (Doc(vocabulary, words=list(note.words)) for _ in range(2))
        if note.gold is not None:
            reference.set_ents([Span(reference, m.first, m.stop, m.label) for m in note.gold])
        found = [Span(predicted, m.first, m.stop, m.label) for m in note.found]
        predicted.set_ents(filter_spans(found))
        yield Example(predicted, reference)
