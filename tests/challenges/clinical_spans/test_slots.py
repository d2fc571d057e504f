"""Slots of labelled spans: what the data have, in every form; those that count, and the others."""

import json

import laws
import numpy as np
import pytest
from commands import invoke
from hypothesis import given, settings
from hypothesis import strategies as st
from labelled_corpora import LABELS, SLOTS, slotted_corpora

import clineval
from clineval.answers import Alignment
from clineval.answers import score as score_answers
from clineval.challenges.clinical_spans import definition as plain
from clineval.evaluation.analysis.agreement import agree
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import confuse

NAME = "clinical_spans"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def m(label, at, **slots):
    return {"spans": [[at, at + 4]], "label": label, **slots}


GOLD = [[m("Drug", 0, negated=True, severity="mild"), m("Drug", 10), m("ADE", 20, severity="mild")]]
FOUND = [[m("Drug", 0, severity="mild"), m("Drug", 11, negated="no"), m("ADE", 20, severity="low")]]


def bare(side):
    return [[{"spans": m["spans"], "label": m["label"]} for m in document] for document in side]


def scores_of(predictions, references, **options):
    found = clineval.score(NAME, predictions, references, **options).as_dict()
    return {
        key: value for key, value in found.items() if "leaked" not in key and "gold_" not in key
    }


@settings(max_examples=60)
@given(slotted_corpora(), st.sampled_from([SLOTS, SLOTS[:1]]))
def test_it_is_the_plain_scorer(corpus, slots):
    references, predictions = corpus
    found = scores_of(predictions, references, slots=slots, labels=LABELS)
    assert f"|slots:{'+'.join(slots)}|" in found.pop("signature")
    assert found == pytest.approx(
        plain.score(list(zip(references, predictions, strict=True)), LABELS, slots)
    )


@settings(max_examples=30)
@given(slotted_corpora(), st.integers(0, 99))
def test_slots_that_do_not_count_change_nothing(corpus, seed):
    references, predictions = corpus
    whole = clineval.score(NAME, predictions, references)
    assert whole.as_dict() == clineval.score(NAME, bare(predictions), bare(references)).as_dict()

    def score(*sides):
        return scores_of(*sides, slots=SLOTS, labels=LABELS)

    laws.order_of_units_does_not_matter(score, predictions, references, seed)
    laws.order_of_documents_does_not_matter(score, predictions, references, seed)
    if any(map(len, references)):
        full = score(references, references)
        assert full["strict_slots_f1"] == full["negated_strict_accuracy"] == 1


def test_pairs_are_asked_for_their_slots():
    score = clineval.score(NAME, FOUND, GOLD, slots=["negated", "severity"])
    assert [score[f"strict_slots_{key}"] for key in ("tp", "fp", "fn")] == [0, 3, 3]
    assert (score["strict_tp"], score["lenient_tp"]) == (2, 3)
    for slot in SLOTS:
        assert score[f"{slot}_strict_accuracy"] == 1 / 2
        assert score[f"{slot}_lenient_accuracy"] == 2 / 3
    assert score.headline[:2] == ("strict_f1", "strict_slots_f1")


def test_groups_confusions_and_agreement_know_slots_that_do_not_count():
    outcomes = clineval.evaluate(NAME, FOUND, GOLD).outcomes
    groups = break_down(outcomes, "slot:severity")
    assert groups.values["mild"]["strict_tp"] == 2
    assert groups.values["no"]["lenient_tp"] == 1
    table = confuse(outcomes, "negated")
    assert len(table.outcomes("yes", "no")) == 1
    [result] = agree(NAME, {"one": GOLD, "two": FOUND})
    assert result.slots["severity"].agreement == 2 / 3


def brat(folder, document):
    """The document in brat's files."""
    folder.mkdir()
    (folder / "a.txt").write_text("x" * 40)
    lines = []
    for at, mention in enumerate(document, 1):
        [[start, end]] = mention["spans"]
        lines.append(f"T{at}\t{mention['label']} {start} {end}\txxxx")
        for name in SLOTS:
            value = mention.get(name)
            if value is not None:
                lines.append(f"A{len(lines)}\t{name.title()} T{at}" + f" {value}" * (value != True))  # noqa: E712
    (folder / "a.ann").write_text("\n".join(lines) + "\n")
    return folder


def as_document(mentions):
    return clineval.Document("a", map(clineval.Mention.from_dict, mentions))


def test_every_form_of_mentions_has_slots(tmp_path):
    pa = pytest.importorskip("pyarrow")
    expected = scores_of(FOUND, GOLD, slots=SLOTS)
    del expected["signature"]
    words = [
        [{**m, "negated": "yes" if m.get("negated") is True else None} for m in d] for d in GOLD
    ]
    mention = clineval.Mention.from_dict
    jsonl = tmp_path / "gold.jsonl"
    jsonl.write_text(json.dumps({"id": "a", "mentions": GOLD[0]}))
    found = tmp_path / "found.jsonl"
    found.write_text(json.dumps({"id": "a", "mentions": FOUND[0]}))
    table = pa.table({"gold": words, "found": FOUND})
    sides = [
        (FOUND, list(map(json.dumps, GOLD))),
        (
            [clineval.Document("a", map(mention, FOUND[0]))],
            [clineval.Document("a", map(mention, GOLD[0]))],
        ),
        (found, jsonl),
        (found, brat(tmp_path / "brat", GOLD[0])),
        (clineval.Column(table, "found"), clineval.Column(table, "gold")),
    ]
    for predictions, references in sides:
        result = scores_of(predictions, references, slots="negated,severity")
        del result["signature"]
        assert result == expected


def test_slots_that_begin_in_later_blocks_are_read():
    gold = [[m("Drug", 5 * at) for at in range(600)] + [m("Drug", 5000, negated=True)]]
    columns = clineval.evaluate(NAME, gold, gold).outcomes.gold
    assert columns.attributes["negated"].ids.sum() == 1


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("A1\tNegated T9", "no mention"),
        ("A1", "no mention"),
        ("A1\t T1", "expected A1"),
        ("A1\tGrade T1 low\nA2\tGrade T1 high", "another value"),
    ],
)
def test_attributes_that_cannot_be_are_refused(tmp_path, lines, said):
    (tmp_path / "a.ann").write_text(f"T1\tDrug 0 4\txxxx\n{lines}\n")
    last = 1 + len(lines.split("\n"))
    laws.refuses(lambda: clineval.score(NAME, tmp_path, tmp_path), f"a.ann:{last}", said)
    told = invoke(["validate", NAME, tmp_path])
    assert f"a.ann:{last}: " in told.stdout
    assert said in told.stdout


@pytest.mark.parametrize(
    ("gold", "options", "parts"),
    [
        (GOLD, {"slots": "negatd"}, ("slots: no mention has", "expected one of negated, severity")),
        (GOLD, {"slots": ["macro"]}, ("slots", "'macro'")),
        (GOLD, {"slots": 3}, ("slots: expected a list of slots, got 3",)),
        ([[m("Drug", 0, Negated=True), m("Drug", 9, negated=True)]], {}, ("slots", "Rename it")),
        ([[m("Drug", 0, negated=2)]], {}, ("negated: expected a value", "got 2", "mention 0")),
        ([[m("Drug", 0, negated=["a"])]], {}, ("negated", "a list")),
        ([[{**m("Drug", 0), 3: "a"}]], {}, ("unknown slot 3",)),
    ],
)
def test_bad_slots_are_refused(gold, options, parts):
    laws.refuses(lambda: clineval.score(NAME, gold, gold, **options), *parts)


def test_what_a_slot_that_does_not_count_loses_is_told():
    both = [[m("Drug", 0, negated=True), m("Drug", 0)]]
    with pytest.warns(clineval.InputWarning, match="2 mentions have the fragments and label of"):
        assert clineval.score(NAME, both, both)["strict_tp"] == 1
    assert clineval.score(NAME, both, both, slots="negated")["strict_slots_tp"] == 2


def test_parts_of_a_corpus_without_a_slot_are_told_of():
    def count(side):
        return clineval.count(NAME, side, side, labels=LABELS, slots="negated")

    assert (count(GOLD) + count(bare(GOLD))).totals == count(GOLD + bare(GOLD)).totals
    with pytest.warns(clineval.InputWarning, match="no mention of 1 document has the slot"):
        count(bare(GOLD))


def test_answers_are_read_for_the_slots_that_count():
    gold = [as_document(GOLD[0])]
    given = [{"text": "abcd", "label": "Drug", "negated": True, "doubt": 0.5}]
    answers, texts = {"a": json.dumps(given)}, {"a": "abcd" * 8}
    with pytest.warns(clineval.InputWarning, match="1 value in the answers .*'doubt'"):
        counted = score_answers(NAME, answers, gold, texts=texts, slots="negated")
    assert (counted["strict_slots_tp"], counted["n_invalid"]) == (1, 0)
    assert score_answers(NAME, answers, gold, texts=texts)["n_invalid"] == 0
    words = score_answers(
        NAME, answers, gold, texts=texts, slots="negated", alignment=Alignment(match="text")
    )
    assert words["negated_strict_accuracy"] == 1


@pytest.mark.parametrize("slot", ["label", "severity"])
def test_an_array_is_no_value(slot):
    mention = {"spans": [[0, 4]], "label": "Drug", slot: np.arange(3)}
    with pytest.raises(clineval.InputError, match=f"{slot}: expected a .*, got an? "):
        clineval.score(NAME, [[mention]], GOLD)


def test_the_command_line(tmp_path):
    for name, side in (("gold", GOLD), ("found", FOUND)):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"id": "a", "mentions": side[0]}))
    sides = [NAME, tmp_path / "gold.jsonl", tmp_path / "found.jsonl"]
    table = invoke(["score", *sides, "--slots", "negated,severity"]).stdout
    assert "Strict, with slots" in table
    assert "Accuracy of slots" in table
    assert "no  " in invoke(["score", *sides, "--by", "slot:negated"]).stdout
    assert "severity: gold" in invoke(["errors", *sides, "--slot", "severity"]).stdout
    assert "severity" in invoke(["agreement", *sides]).stdout
