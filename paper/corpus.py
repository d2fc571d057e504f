"""Write the invented corpora of the paper: ``.venv/bin/python paper/corpus.py FOLDER``.

The seed fixes every byte: only ``Random.random`` is used, whose numbers do not depend on the
version of Python.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import TypeVar

T = TypeVar("T")
SEED = 2026
LABELS = ("FINDING", "TEST", "TREATMENT")
CRITERIA = (
    "ABDOMINAL", "ADVANCED-CAD", "ALCOHOL-ABUSE", "ASP-FOR-MI", "CREATININE", "DIETSUPP-2MOS",
    "DRUG-ABUSE", "ENGLISH", "HBA1C", "KETO-1YR", "MAJOR-DIABETES", "MAKES-DECISIONS", "MI-6MOS",
)  # fmt: skip
NOTES, WIDTH, LINE = 150, 90, 10
"""Notes, the words of a note, and the words of a line."""
CODED, CODES = 400, 1200
"""Documents with codes, and the codes of the list."""
PATIENTS, ABSTRACTS = 100, 40
FILLER = ("the", "patient", "was", "seen", "on", "day", "two", "and", "has", "no", "new", "pain")
HEADS = {
    "FINDING": ("fever", "cough", "edema", "nausea", "rash"),
    "TEST": ("ct", "ecg", "sodium", "biopsy", "culture"),
    "TREATMENT": ("aspirin", "heparin", "surgery", "insulin", "stent"),
}
ERRORS = {
    "missed": 0.12, "shorter": 0.08, "longer": 0.08, "parts": 0.07, "overlapping": 0.05,
    "label": 0.06, "twice": 0.03, "none": 0.51,
}  # fmt: skip
"""What a tagger does with a gold mention, and how often."""
TAILS = ("acute", "severe", "of", "chest", "repeat", "daily", "wall")


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention: its label, its first word, and the word after its last one."""

    label: str
    first: int
    stop: int


@dataclass(frozen=True, slots=True)
class Note:
    """A note: its words, and the mentions of both sides; ``gold`` is None without annotation."""

    name: str
    words: tuple[str, ...]
    gold: tuple[Mention, ...] | None
    found: tuple[Mention, ...]

    @property
    def text(self) -> str:
        """The text, in lines."""
        lines = [self.words[at : at + LINE] for at in range(0, len(self.words), LINE)]
        return "".join(" ".join(line) + "\n" for line in lines)

    def place(self, mention: Mention) -> tuple[int, int]:
        """Return the characters of a mention; a line break counts like a blank."""
        starts = [0, *accumulate(len(word) + 1 for word in self.words)]
        return starts[mention.first], starts[mention.stop] - 1


def pick(rng: Random, items: Sequence[T]) -> T:
    """Return one of the items."""
    return items[int(rng.random() * len(items))]


def make_notes() -> list[Note]:
    """Make notes, and the output of a tagger with the errors of taggers."""
    rng = Random(SEED)
    return [_make_note(rng, f"note-{number:03}") for number in range(NOTES)]


def _make_note(rng: Random, name: str) -> Note:
    words, gold, at = [pick(rng, FILLER) for _ in range(WIDTH)], [], 2
    while at < WIDTH - 6:
        length = 1 + int(rng.random() * 4)
        at += -at % LINE if at % LINE + length > LINE else 0  # a mention stays in its line
        label = pick(rng, LABELS)
        words[at : at + length] = [*(pick(rng, TAILS) for _ in range(length - 1)),
                                   pick(rng, HEADS[label])]  # fmt: skip
        gold.append(Mention(label, at, at + length))
        at += length + 3 + int(rng.random() * 12)
    found = [each for mention in gold for each in _find(rng, mention)]
    if rng.random() < 0.2:  # a mention that is none
        found.append(Mention(pick(rng, LABELS), 0, 1))
    annotated = rng.random() >= 0.06
    return Note(name, tuple(words), tuple(gold) if annotated else None, tuple(found))


def _find(rng: Random, mention: Mention) -> list[Mention]:
    """Return what the tagger finds of a gold mention."""
    label, first, stop = mention.label, mention.first, mention.stop
    error = _pick_error(rng)
    if error in {"shorter", "parts"} and stop - first == 1:
        return [mention]
    if error in {"longer", "overlapping"} and first % LINE == 0:
        return [mention]
    longer, shorter = Mention(label, first - 1, stop), Mention(label, first + 1, stop)
    found = {
        "missed": [],
        "shorter": [shorter],
        "longer": [longer],
        "parts": [Mention(label, first, first + 1), shorter],
        "overlapping": [longer, mention],
        "label": [Mention(pick(rng, LABELS), first, stop)],
        "twice": [mention, mention],  # as from two windows of a long note
        "none": [mention],
    }
    return found[error]


def _pick_error(rng: Random) -> str:
    chance = rng.random()
    limits = zip(ERRORS, accumulate(ERRORS.values()), strict=True)
    return next((error for error, limit in limits if chance < limit), "none")


BRAT = {
    "clinical_spans": LABELS,
    "meddocan19": ("HOSPITAL", "CALLE", "FECHAS"),
    "pharmaconer19": ("NORMALIZABLES", "NO_NORMALIZABLES", "PROTEINAS"),
    "n2c2_2018_track2": ("ADE", "Reason", "Drug"),
    "chemu20": ("SOLVENT", "TIME", "OTHER_COMPOUND"),
}
"""Challenges with brat files, and three of their labels in place of ours."""
WITH_TEXT = ("meddocan19", "pharmaconer19")
"""Challenges whose programs need the texts of notes."""


def make_variants() -> dict[str, list[Note]]:
    """Return the notes as they are, and then with less and less that scorers treat differently.

    ``annotated`` leaves out notes without gold annotation, ``once`` also repeated predictions, and
    ``flat`` also predictions that overlap an earlier one.
    """
    notes = make_notes()
    annotated = [note for note in notes if note.gold is not None]
    once = [replace(note, found=tuple(dict.fromkeys(note.found))) for note in annotated]
    flat = [replace(note, found=tuple(_drop_overlaps(note.found))) for note in once]
    return {"all": notes, "annotated": annotated, "once": once, "flat": flat}


def _drop_overlaps(mentions: Iterable[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for mention in mentions:
        if all(mention.stop <= each.first or each.stop <= mention.first for each in kept):
            kept.append(mention)
    return kept


def write_corpora(folder: Path) -> None:
    """Write all corpora; each variant of the notes has a folder."""
    for variant, notes in make_variants().items():
        for name in BRAT:
            write_notes(folder / variant / name, notes, name)
        write_concepts(folder / variant / "i2b2_2010", notes)
        write_rows(folder / variant / "multiclinai26", notes)
    write_entities(folder / "gutbrainie26", make_variants()["flat"])
    write_codes(folder / "icd_coding")
    write_patients(folder / "n2c2_2018_track1")
    write_relations(folder / "drugprot21")
    write_links(folder / "i2b2_2012_temporal")


def write_notes(folder: Path, notes: Iterable[Note], name: str) -> None:
    """Write both sides as brat files, in the order in which the tagger found the mentions."""
    labels = dict(zip(LABELS, BRAT[name], strict=True))
    for note in notes:
        for side, mentions in (("gold", note.gold), ("found", note.found)):
            if mentions is not None:
                path = folder / side / f"{note.name}.ann"
                _write(path, "".join(_brat_lines(note, mentions, labels)))
                if name in WITH_TEXT:
                    _write(path.with_suffix(".txt"), note.text)


def _brat_lines(
    note: Note, mentions: Sequence[Mention], labels: Mapping[str, str]
) -> Iterable[str]:
    for number, mention in enumerate(mentions, 1):
        start, end = note.place(mention)
        words = " ".join(note.words[mention.first : mention.stop])
        yield f"T{number}\t{labels[mention.label]} {start} {end}\t{words}\n"


def write_concepts(folder: Path, notes: Iterable[Note]) -> None:
    """Write both sides as the concept files of i2b2 2010: lines, and the numbers of their words."""
    labels = dict(zip(LABELS, ("problem", "test", "treatment"), strict=True))
    for note in notes:
        for side, mentions in (("gold", note.gold), ("found", note.found)):
            if mentions is not None:
                lines = [
                    f'c="{" ".join(note.words[m.first : m.stop])}" '
                    f"{m.first // LINE + 1}:{m.first % LINE} "
                    f"{m.first // LINE + 1}:{m.first % LINE + m.stop - m.first - 1}"
                    f'||t="{labels[m.label]}"\n'
                    for m in mentions
                ]
                _write(folder / side / f"{note.name}.con", "".join(lines))


def write_rows(folder: Path, notes: Iterable[Note]) -> None:
    """Write both sides as the tables of MultiClinAI."""
    labels = dict(zip(LABELS, ("DISEASE", "SYMPTOM", "PROCEDURE"), strict=True))
    rows = {side: ["filename\tlabel\tstart_span\tend_span\ttext\n"] for side in ("gold", "found")}
    for note in notes:
        for side, mentions in (("gold", note.gold or ()), ("found", note.found)):
            for mention in mentions:
                start, end = note.place(mention)
                words = " ".join(note.words[mention.first : mention.stop])
                rows[side].append(
                    f"{note.name}\t{labels[mention.label]}\t{start}\t{end}\t{words}\n"
                )
    for side, lines in rows.items():
        _write(folder / f"{side}.tsv", "".join(lines))


def write_codes(folder: Path) -> None:
    """Write gold codes and the output of two classifiers, with the long tail of code lists.

    The cautious one assigns no code that the gold standard lacks, and finds fewer of the others.
    """
    rng = Random(SEED)
    names = [f"{100 + number // 10}.{number % 10}" for number in range(CODES)]
    weights = [*accumulate(1 / (rank + 5) for rank in range(CODES))]
    gold: list[list[str]] = []
    found: list[dict[str, float]] = []
    for _ in range(CODED):
        right = {_pick_rank(rng, weights) for _ in range(8 + int(rng.random() * 10))}
        kept = {rank for rank in right if rng.random() < 0.85 - 0.6 * rank / CODES}
        wrong = {_pick_rank(rng, weights) for _ in range(int(rng.random() * 9))}
        wrong |= {int(rng.random() * CODES) for _ in range(int(rng.random() * 3))}
        scores = {rank: 0.5 + rng.random() / 2 for rank in sorted(kept | wrong)}
        missed = {rank: rng.random() / 2 for rank in sorted(right - set(scores))}
        gold.append([names[rank] for rank in sorted(right)])
        found.append({names[rank]: round(of, 6) for rank, of in {**scores, **missed}.items()})
    known = {code for codes in gold for code in codes}
    cautious = [
        {code: of for code, of in codes.items() if code in known and rng.random() >= 0.03}
        for codes in found
    ]
    for side, documents in (("gold", gold), ("found", found), ("cautious", cautious)):
        lines = [
            json.dumps({"id": f"stay-{number:03}", "codes": codes}) + "\n"
            for number, codes in enumerate(documents)
        ]
        _write(folder / f"{side}.jsonl", "".join(lines))
    _write(folder / "codes.txt", "\n".join(names) + "\n")


def _pick_rank(rng: Random, weights: Sequence[float]) -> int:
    """Return a rank by its weight, from the sums of the weights."""
    aim = rng.random() * weights[-1]
    return next(rank for rank, total in enumerate(weights) if aim < total)


def write_patients(folder: Path) -> None:
    """Write patients of n2c2 2018 Track 1: gold, a system, and the same without its hardest ones.

    Every patient speaks English, so that one criterion has only one class.
    """
    rng = Random(SEED)
    for number in range(PATIENTS):
        gold = [rng.random() < 0.4 or name == "ENGLISH" for name in CRITERIA]
        error = 0.05 if rng.random() < 0.7 else 0.4
        found = [met != (rng.random() < error) for met in gold]
        errors = sum(one != other for one, other in zip(gold, found, strict=True))
        sides = {"gold": gold, "system": found}
        if errors <= 3:
            sides["without"] = found
        for side, answers in sides.items():
            _write(folder / side / f"{100 + number}.xml", _patient(answers))


def _patient(answers: Sequence[bool]) -> str:
    tags = [
        f'<{name} met="{"met" if met else "not met"}" />'
        for name, met in zip(CRITERIA, answers, strict=True)
    ]
    body = ["<PatientMatching>", "<TEXT><![CDATA[Invented.]]></TEXT>", "<TAGS>", *tags]
    return '<?xml version="1.0" encoding="UTF-8" ?>\n' + "\n".join(
        [*body, "</TAGS>", "</PatientMatching>\n"]
    )


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def write_entities(folder: Path, notes: Iterable[Note]) -> None:
    """Write notes for GutBrainIE; the tagger also finds a label that the gold standard lacks."""
    labels = dict(zip(LABELS, ("DDF", "biomedical technique", "drug"), strict=True))
    labels["OTHER"] = "food"
    sides: dict[str, dict[str, object]] = {"gold": {}, "found": {}}
    for number, note in enumerate(notes):
        found = [*note.found, Mention("OTHER", WIDTH - 1, WIDTH)]
        for side, mentions in (("gold", note.gold or ()), ("found", found)):
            entities = [_entity(note, mention, labels) for mention in mentions]
            about = {"title": "", "abstract": note.text}
            sides[side][str(90000001 + number)] = {
                **({"metadata": about} if side == "gold" else {}),
                "entities": entities,
            }
    for side, documents in sides.items():
        _write(folder / f"{side}.json", json.dumps(documents, indent=1) + "\n")


def _entity(note: Note, mention: Mention, labels: Mapping[str, str]) -> dict[str, object]:
    start, end = note.place(mention)
    return {
        "start_idx": start,
        "end_idx": end - 1,
        "location": "abstract",
        "text_span": note.text[start:end],
        "label": labels[mention.label],
        "uri": f"http://example.org/{mention.label}",
    }


def write_relations(folder: Path) -> None:
    """Write abstracts of DrugProt: one chemical and three genes each, and which it inhibits."""
    rng = Random(SEED)
    names, places = ("drugol", "kinase", "ligase", "reductase"), (0, 7, 14, 21)
    files: dict[str, list[str]] = {
        name: [] for name in ("pmids.txt", "entities.tsv", "abstracts.tsv", "gold.tsv", "found.tsv")
    }
    for pmid in range(101, 101 + ABSTRACTS):
        files["pmids.txt"].append(f"{pmid}\n")
        files["abstracts.tsv"].append(f"{pmid}\t{' '.join(names)}\tInvented.\n")
        for number, (name, at) in enumerate(zip(names, places, strict=True), 1):
            kind = "CHEMICAL" if number == 1 else "GENE"
            row = f"{pmid}\tT{number}\t{kind}\t{at}\t{at + len(name)}\t{name}\n"
            files["entities.tsv"].append(row)
        for gene in (2, 3, 4):
            row = f"{pmid}\tINHIBITOR\tArg1:T1\tArg2:T{gene}\n"
            right = rng.random() < 0.4
            files["gold.tsv"] += [row] * right
            files["found.tsv"] += [row] * (rng.random() < (0.75 if right else 0.2))
    for name, lines in files.items():
        _write(folder / name, "".join(lines))


def write_links(folder: Path) -> None:
    """Write notes of i2b2 2012 with a chain of events and links that follow from it.

    ``after`` has the links that follow from others at the end, ``before`` at the beginning.
    """
    rng = Random(SEED)
    size = 6
    for number in range(ABSTRACTS):
        chain = [(at, at + 1) for at in range(size - 1)]
        pairs = [(first, last) for first in range(size) for last in range(first + 2, size)]
        follow = [pair for pair in pairs if rng.random() < 0.5]
        found = [pair for pair in [*chain, *follow] if rng.random() < 0.6]
        sides = {"after": [*chain, *follow], "before": [*follow, *chain], "system": found}
        for side, links in sides.items():
            _write(folder / side / f"{number + 1}.xml", _timeline(size, links))


def _timeline(size: int, links: Iterable[tuple[int, int]]) -> str:
    text = " ".join(f"e{at}" for at in range(size))
    events = [
        f'<EVENT id="E{at}" start="{3 * at + 2}" end="{3 * at + 4}" text="e{at}" '
        'modality="FACTUAL" polarity="POS" type="OCCURRENCE" />'
        for at in range(size)
    ]
    tlinks = [
        f'<TLINK id="TL{number}" fromID="E{first}" fromText="e{first}" toID="E{last}" '
        f'toText="e{last}" type="BEFORE" />'
        for number, (first, last) in enumerate(links)
    ]
    head = '<?xml version="1.0" encoding="UTF-8" ?>\n<ClinicalNarrativeTemporalAnnotation>\n'
    body = "\n".join([*events, *tlinks])
    return (
        f"{head}<TEXT><![CDATA[\n{text}\n]]></TEXT>\n<TAGS>\n{body}\n</TAGS>\n"
        "</ClinicalNarrativeTemporalAnnotation>\n"
    )


if __name__ == "__main__":
    write_corpora(Path(sys.argv[1]))
