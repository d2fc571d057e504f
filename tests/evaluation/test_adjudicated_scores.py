"""A corrected gold standard scores what the decisions say: for every kind, format and decision."""

import json
from dataclasses import replace

import pytest
from conftest import ROOT
from thorough import KINDS, each

import clineval
from clineval import Document
from clineval.evaluation.adjudication import adjudicate, can_be_corrected, find_labels
from clineval.evaluation.convert import write
from clineval.formats.editing import spell_spans
from clineval.results.registry import NAMES, find_challenge

BRAT = {
    *("clinical_spans", "n2c2_2022_cmed", "n2c2_2018_track2", "ehealthkd20"),
    *("meddocan19", "pharmaconer19", "cantemist20", "semeval15_task14"),
}
"""Modules whose gold standards are corrected in brat's files; those of SemEval are converted."""
MODULES = [name for name in NAMES if can_be_corrected(find_challenge(name))]
FORMS = [
    *((name, "jsonl") for name in MODULES),
    *((name, "brat") for name in MODULES if name in BRAT),
    ("semeval15_task14", "pipe"),
]
CONFIGS = {"distemist22": "norm", "cantemist20": "norm", "livingner22": "norm"}
SLOTS = {"clinical_spans": ["negated", "severity"]}
FLAGS = ("no", "yes"), ("no", "mild", "very severe")


def read_demo(module, side):
    folder = ROOT / "metrics" / "clineval" / "challenges" / module / "demo"
    [path] = [path for path in folder.iterdir() if path.stem == side]
    texts = folder / "text"
    options = {"texts": texts} if texts.is_dir() else {}
    config = CONFIGS.get(module, "default")
    found = clineval.read(path, module, config=config, **options)
    return [add_slots(each, side) if module in SLOTS else each for each in found]


def add_slots(document, side):
    """Say more of the mentions, something else on either side."""
    shift = len(side)
    mentions = [
        replace(each, slots={**each.slots, **{
            name: values[(at + shift) % len(values)]
            for name, values in zip(SLOTS["clinical_spans"], FLAGS, strict=True)
        }})
        for at, each in enumerate(document.mentions)
    ]  # fmt: skip
    return replace(document, mentions=tuple(mentions))


def add_twin(document, labels):
    """Add a mention that differs from another one in a slot alone, if mentions have slots."""
    slots = [slot for slot in labels.others() if slot.kind in ("closed", "free")]
    found = [of for of in document.mentions for slot in slots[:1] if slot.name in of.slots]
    if not found:
        return document
    values = slots[0].values or ("no", "other")
    value = next(v for v in reversed(values) if v != found[0].slots[slots[0].name])
    twin = replace(found[0], slots={**found[0].slots, slots[0].name: value}, id=None)
    return replace(document, mentions=(*document.mentions, twin))


class Reviewer:
    """Takes decisions as the page does, and follows them in the objects."""

    def __init__(self, module):
        self.labels = find_labels(find_challenge(module), CONFIGS.get(module, "default"))
        self.names = [slot.name for slot in self.labels.others()] + SLOTS.get(module, [])
        self.remarks = []
        self.keys = []

    def label_of(self, mention):
        slot = self.labels.classes
        return mention.cui if slot.kind == "code" else mention.slots[slot.name]

    def slots_of(self, mention):
        """The other slots as the page writes them."""
        known = {slot.name: slot for slot in self.labels.others()}
        held = {n: ",".join(v) if isinstance(v, tuple) else v for n, v in mention.slots.items()}
        return {
            name: known[name].spell(known[name].fold(held.get(name, known[name].default or "")))
            if name in known else held.get(name, "no")
            for name in self.names
        }  # fmt: skip

    def key(self, mention):
        return spell_spans(mention.spans), self.labels.spell(self.label_of(mention))

    def decide(self, document, side, mention, decision, system=None):
        spans, label = self.key(mention)
        to_spans, to_class = self.key(system) if system else ("", "")
        slots = self.slots_of(system) if decision == "system right" else {}
        twin = side == "gold" and self.keys.count((spans, label)) > 1
        self.remarks.append({
            "document": document.id, "side": side, "spans": spans, "class": label, "tags": [],
            "comment": "", "decision": decision, "to_spans": to_spans, "to_class": to_class,
            "to_slots": slots, **({"slots": self.slots_of(mention)} if twin else {}),
        })  # fmt: skip

    def with_label(self, mention, system):
        if self.labels.classes.kind == "code":
            return replace(mention, cui=system.cui)
        name = self.labels.classes.name
        return replace(mention, slots={**mention.slots, name: system.slots[name]})

    def review(self, document, system):
        """Decide on all mentions of a document; return what becomes of it."""
        ends = {end for of in document.relations for end in (of.source, of.target)}
        keys = self.keys = [self.key(mention) for mention in document.mentions]
        wholes = [(self.key(mention), self.slots_of(mention)) for mention in document.mentions]
        free, kept = list(system.mentions), []
        for mention in document.mentions:
            theirs = min(free, key=lambda each: -shared(mention, each), default=None)
            if wholes.count((self.key(mention), self.slots_of(mention))) > 1:
                kept.append(mention)
            elif theirs is None or not shared(mention, theirs):
                kept += self.judge_alone(document, mention, ends)
            else:
                free.remove(theirs)
                kept.append(self.judge_pair(document, mention, theirs))
        for mention in free:
            if self.key(mention) not in keys:
                self.decide(document, "tagger", mention, "system right", mention)
                kept.append(replace(mention, id=None))
        return replace(document, mentions=tuple(kept))

    def judge_alone(self, document, mention, ends):
        if mention.id in ends or len(self.remarks) % 2:
            return [mention]
        self.decide(document, "gold", mention, "gold wrong")
        return []

    def judge_pair(self, document, mention, system):
        own, theirs = self.key(mention), self.key(system)
        all_of = (*own, self.slots_of(mention)), (*theirs, self.slots_of(system))
        eventless = self.labels.events and theirs[1] not in self.labels.events
        differs = {"system right": all_of[0] != all_of[1], "boundary": own[0] != theirs[0],
                   "label": own[1] != theirs[1] and not eventless}  # fmt: skip
        fitting = [name for name, differ in differs.items() if differ]
        if not fitting:
            return mention
        decision = fitting[len(self.remarks) % len(fitting)]
        self.decide(document, "gold", mention, decision, system)
        if decision == "boundary":
            return replace(mention, spans=system.spans)
        labelled = self.with_label(mention, system)
        if decision == "label":
            return labelled
        others = {n: v for n, v in system.slots.items() if n in self.names}
        kept = {n: v for n, v in labelled.slots.items() if n not in self.names}
        return replace(labelled, spans=system.spans, slots={**kept, **others})


def shared(one, other):
    pairs = ((a, b) for a in one.spans for b in other.spans)
    return sum(max(0, min(a[1], b[1]) - max(a[0], b[0])) for a, b in pairs)


def score(module, system, gold):
    options = {"slots": SLOTS[module]} if module in SLOTS else {}
    found = clineval.score(module, system, gold, config=CONFIGS.get(module, "default"), **options)
    return dict(found.values)


FAST = [case for case in FORMS if case[0] in {*KINDS, "clinical_spans", "n2c2_2022_cmed"}]


@pytest.mark.parametrize("case", each(FORMS, FAST))
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_a_corrected_gold_standard_scores_what_was_decided(tmp_path, case):
    module, form = case
    gold, system = read_demo(module, "gold"), read_demo(module, "tagger")
    theirs = {each.id: each for each in system}
    reviewer = Reviewer(module)
    gold = [add_twin(document, reviewer.labels) for document in gold]
    expected = [reviewer.review(of, theirs.get(of.id, Document(of.id))) for of in gold]
    path = tmp_path / ("gold.jsonl" if form == "jsonl" else "gold")
    write(gold, path, form, module)
    remarks = tmp_path / "r.json"
    config = CONFIGS.get(module, "default")
    head = {"schema": "clineval remarks 1", "module": module, "config": config}
    remarks.write_text(json.dumps({**head, "remarks": reviewer.remarks}))
    found = adjudicate(path, remarks)
    assert len(found.changes) == len(reviewer.remarks) > 0
    found.write(tmp_path / "new")
    new = tmp_path / "new" / path.name if form == "jsonl" else tmp_path / "new"
    if (module, form) == ("semeval15_task14", "brat"):
        new = clineval.read(new, module)
    before, after = score(module, system, gold), score(module, system, new)
    assert after == score(module, system, expected)
    assert after != before
