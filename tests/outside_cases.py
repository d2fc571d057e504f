"""Challenges of other people, of several kinds, each with a corpus and its numbers by hand."""

import json
from dataclasses import dataclass

from conftest import DATA

TEXT = "Aspirin gave rash; heparin helped pain."
CLASSES = [
    "PAST",
    "NON",
    "CURRENT",
    "CAUSES",
    "TREATS",
    "BEFORE",
    "AFTER",
    "OVERLAP",
    "DRUG",
    "SIGN",
]
WORDS = {"Aspirin": "DRUG", "rash": "SIGN", "heparin": "DRUG", "pain": "SIGN"}


def at(words):
    return [[TEXT.index(words), TEXT.index(words) + len(words)]]


def relate(*links):
    """A document of all words, and relations between their numbers."""
    mentions = [
        {"id": f"T{number}", "spans": at(word), "label": label}
        for number, (word, label) in enumerate(WORDS.items())
    ]
    relations = [{"label": label, "from": f"T{a}", "to": f"T{b}"} for label, a, b in links]
    return {"mentions": mentions, "relations": relations}


def tabulate(side):
    rows = [f"n{number}\t{code}\n" for number, codes in enumerate(side) for code in codes]
    return "filename\tcode\n" + "".join(rows)


def mention(words, label):
    return {"spans": at(words), "label": label}


def quote(mention):
    [[start, end]] = mention["spans"]
    return {"text": TEXT[start:end], "label": mention["label"]}


@dataclass(frozen=True)
class Case:
    name: str
    lines: int
    """The most that its file may have."""
    gold: list
    found: list
    scores: dict
    groups: tuple
    """A group of ``--by``, and a count of it."""
    kinds: dict
    """What ``errors`` lists."""
    answer: object
    """A model's answer that is right for the first document."""
    word: str = "label"

    def write(self, folder):
        """Write both sides: codes as the table that they are usually in, others as JSON Lines."""
        coded = self.word == "code"
        paths = [folder / f"{name}.{'tsv' if coded else 'jsonl'}" for name in ("gold", "found")]
        for path, side in zip(paths, (self.gold, self.found), strict=True):
            path.write_text(tabulate(side) if coded else "".join(self._list_lines(side)))
        return paths

    def _list_lines(self, side):
        return [json.dumps(row) + "\n" for row in self.list_rows(side)]

    def list_rows(self, side):
        """List the rows of JSON Lines or a table."""
        return [
            {"id": f"n{number}", "text": TEXT, **self.as_dict(document)}
            for number, document in enumerate(side)
        ]

    def answer_for(self, document):
        """What a model writes that found a document's annotation, and nothing else."""
        if isinstance(document, str):
            return json.dumps({self.word: document.lower()})
        if isinstance(document, dict):
            mentions = [{"id": m["id"], **quote(m)} for m in document["mentions"]]
            return json.dumps({"mentions": mentions, "relations": document["relations"]})
        return json.dumps([quote(m) if isinstance(m, dict) else m for m in document])

    def as_dict(self, document):
        if isinstance(document, str):
            return {self.word: document}
        if self.word == "code":
            return {"codes": document}
        return document if isinstance(document, dict) else {"mentions": document}


CASES = [
    Case(
        "smoking_status", 16, ["PAST", "NON", "CURRENT"], ["PAST", "CURRENT", "CURRENT"],
        {"accuracy": 2 / 3, "micro_f1": 2 / 3, "macro_f1": (1 + 0 + 2 / 3) / 3, "kappa": 1 / 2},
        ("CURRENT", "micro_tp", 1), {"right": 2, "status": 1}, {"status": "past"}, "status",
    ),
    Case(
        "drug_effects", 20,
        [relate(("CAUSES", 0, 1), ("TREATS", 2, 3)), relate()],
        [relate(("CAUSES", 0, 1), ("CAUSES", 2, 3)), relate(("TREATS", 0, 1))],
        {"relations_precision": 1 / 3, "relations_recall": 1 / 2, "causes_relations_f1": 2 / 3},
        ("CAUSES", "relations_tp", 1), {"right": 1, "label": 1, "spurious": 1},
        {
            "mentions": [
                {"id": word, "text": word, "label": label} for word, label in WORDS.items()
            ],
            "relations": [
                {"label": "CAUSES", "from": "Aspirin", "to": "rash"},
                {"label": "TREATS", "from": "heparin", "to": "pain"},
            ],
        },
    ),
    Case(
        "time_lines", 64,
        [relate(("BEFORE", 0, 1), ("BEFORE", 1, 2), ("BEFORE", 0, 2)), relate()],
        [relate(("AFTER", 1, 0), ("BEFORE", 2, 1)), relate(("OVERLAP", 0, 1))],
        {"system_precision": 1 / 3, "system_recall": 1 / 2, "system_f1": 2 / 5},
        ("AFTER", "system_tp", 1), {"spurious": 3, "missed": 3},
        {
            "mentions": [
                {"id": word, "text": word, "label": label} for word, label in WORDS.items()
            ],
            "relations": [
                {"label": "AFTER", "from": "rash", "to": "Aspirin"},
                {"label": "BEFORE", "from": "rash", "to": "heparin"},
            ],
        },
    ),
    Case(
        "event_order", 20,
        [relate(("BEFORE", 0, 1), ("OVERLAP", 1, 2), ("BEFORE", 2, 3)), relate()],
        [relate(("AFTER", 3, 0), ("AFTER", 1, 0)), relate(("BEFORE", 0, 1), ("BEFORE", 1, 0))],
        {
            "links_precision": 1 / 2, "links_recall": 1 / 3, "links_written_f1": 2 / 5,
            "before_links_as_written_f1": 1 / 3,
        },
        ("BEFORE", "links_tp", 2),
        {"right": 1, "right by inference": 1, "contradictory": 2, "unlinked": 2},
        {
            "mentions": [
                {"id": word, "text": word, "label": label} for word, label in WORDS.items()
            ],
            "relations": [
                {"label": "AFTER", "from": "rash", "to": "Aspirin"},
                {"label": "OVERLAP", "from": "heparin", "to": "rash"},
                {"label": "BEFORE", "from": "heparin", "to": "pain"},
            ],
        },
    ),
    Case(
        "shared_words", 40,
        [[mention("Aspirin", "DRUG"), mention("rash", "SIGN")],
         [mention(word, label) for word, label in WORDS.items()]],
        [[mention("Aspi", "DRUG")], [mention("rash", "SIGN"), mention("heparin", "SIGN")]],
        {"credit_precision": (8 / 11 + 1) / 3, "credit_recall": (8 / 11 + 1) / 6},
        ("SIGN", "credit_f1", 2 / 5), {"right": 1, "boundary": 1, "label": 1, "missed": 3},
        [{"text": "Aspirin", "label": "DRUG"}, {"text": "rash", "label": "SIGN"}],
    ),
]  # fmt: skip
CODES = Case(
    "ward_codes", 30, [["I10", "E11.9"], ["J45"], ["I10"]],
    [["i10"], ["J46", "E11.9"], ["I10", "J45"]],
    {"micro_precision": 2 / 5, "micro_recall": 2 / 4, "micro_tp": 2},
    ("i10", "micro_tp", 2), {"right": 2, "spurious": 3, "missed": 2}, ["I10", "E11.9"], "code",
)  # fmt: skip
"""Its files are tables and have no text: what JSON Lines or quotes need has other tests."""
EVERY = [*CASES, CODES]
NAMES = [case.name for case in CASES]
SOURCES = {case.name: (DATA / "outside" / f"{case.name}.py").read_text() for case in EVERY}
