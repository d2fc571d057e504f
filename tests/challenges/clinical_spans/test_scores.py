"""Labelled spans: by hand, against a plain scorer, against nervaluate, and where that is wrong."""

import json
import re

import laws
import pytest
from commands import invoke
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from labelled_corpora import LABELS, corpora
from nervaluate.evaluator import Evaluator
from thorough import thorough

import clineval
from clineval.base.errors import InputWarning
from clineval.challenges.clinical_spans import definition as plain
from clineval.evaluation.analysis.breakdown import break_down
from clineval.results.registry import find_challenge

NAME = "clinical_spans"
LEAK = re.compile(r"(^|_)(leaked|gold)_(characters|whole|mentions)")
ORDERS = ("closest", "longest", "position")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def m(label, *fragments):
    return {"spans": [list(fragment) for fragment in fragments], "label": label}


def score(predictions, references, **options):
    """All but what leaks, which has a plain count of its own, in tests/kinds/test_leak.py."""
    found = clineval.score(NAME, predictions, references, **options).as_dict()
    return {key: value for key, value in found.items() if not LEAK.search(key)}


def count(predictions, references):
    return clineval.count(NAME, predictions, references, labels=LABELS)


@st.composite
def flat_side(draw, room=30):
    """Mentions of one fragment, none of which overlap."""
    bounds = sorted(draw(st.lists(st.integers(0, room), max_size=12, unique=True)))
    pairs = zip(bounds[::2], bounds[1::2], strict=False)
    return [m(draw(st.sampled_from(LABELS)), pair) for pair in pairs]


@given(corpora(), st.sampled_from(ORDERS), st.sampled_from(["character", "hull"]), st.booleans())
def test_it_is_the_plain_scorer(corpus, order, overlap, touching):
    references, predictions = corpus
    rules = {"order": order, "overlap": overlap, "touching": touching}
    expected = plain.score(list(zip(references, predictions, strict=True)), **rules)
    found = score(predictions, references, **rules)
    del found["signature"]
    assert found == pytest.approx(expected)


@given(corpora(), st.sets(st.sampled_from(LABELS), min_size=1).map(sorted))
def test_labels_that_are_not_asked_for_do_not_count(corpus, labels):
    references, predictions = corpus
    found = score(predictions, references, labels=labels)
    del found["signature"]
    assert found == pytest.approx(
        plain.score(list(zip(references, predictions, strict=True)), labels)
    )


def in_their_words(document):
    """As nervaluate has it: inclusive ends, in the order of the text."""
    found = [
        {"label": each["label"], "start": each["spans"][0][0], "end": each["spans"][0][1] - 1}
        for each in document
    ]
    return sorted(found, key=lambda entity: entity["start"])


def nervaluate(references, predictions):
    sides = ([in_their_words(document) for document in side] for side in (references, predictions))
    results = Evaluator(*sides, tags=list(LABELS), loader="dict").evaluate()["overall"]
    names = {"strict": "strict", "boundary": "exact", "partial": "partial", "type": "ent_type"}
    keys = {
        "cor": "correct", "inc": "incorrect", "par": "partial", "mis": "missed",
        "spu": "spurious", "possible": "possible", "actual": "actual",
        "precision": "precision", "recall": "recall", "f1": "f1",
    }  # fmt: skip
    return {
        f"{name}_{key}": getattr(results[theirs], value)
        for name, theirs in names.items() for key, value in keys.items()
    }  # fmt: skip


def overlap_several(gold, found):
    """Whether some mention overlaps two of the other side."""
    near = [
        (g, f) for g in range(len(gold)) for f in range(len(found))
        if gold[g]["spans"][0][0] < found[f]["spans"][0][1]
        and found[f]["spans"][0][0] < gold[g]["spans"][0][1]
    ]  # fmt: skip
    return any(len({pair[at] for pair in near}) < len(near) for at in (0, 1))


@given(st.lists(st.tuples(flat_side(), flat_side()), min_size=1, max_size=3))
def test_on_flat_data_it_is_nervaluate(documents):
    references, predictions = (list(side) for side in zip(*documents, strict=True))
    found = score(predictions, references, order="position", labels=LABELS)
    for key, expected in nervaluate(references, predictions).items():
        if not key.startswith("type") or not any(map(overlap_several, references, predictions)):
            assert found[key] == pytest.approx(expected), key


def test_where_predictions_overlap_the_order_does_not_matter():
    """nervaluate gives the gold mention to whichever prediction comes first."""
    gold, found = [[m("Drug", (0, 4))]], [m("Drug", (0, 6)), m("Drug", (0, 4))]
    theirs = [nervaluate(gold, [side])["strict_cor"] for side in (found, found[::-1])]
    assert theirs == [0, 1]
    ours = [score([side], gold) for side in (found, found[::-1])]
    assert [results["strict_cor"] for results in ours] == [1, 1]
    assert [results["strict_spu"] for results in ours] == [1, 1]


def test_nested_mentions_count_once_each():
    gold = [[m("Drug", (0, 4)), m("Drug", (0, 10))]]
    results = score([gold[0][::-1]], gold)
    assert results["strict_tp"] == results["type_cor"] == results["partial_cor"] == 2
    first = score([[m("Drug", (0, 10))]], gold)
    assert (first["partial_cor"], first["partial_par"], first["partial_mis"]) == (1, 0, 1)


def test_fragments_are_not_their_hull():
    gold, found = [[m("ADE", (0, 4), (10, 14))]], [[m("ADE", (5, 9))]]
    assert score(found, gold)["lenient_tp"] == 0
    assert score(found, gold, overlap="hull")["lenient_tp"] == 1
    split = [[m("ADE", (10, 14), (0, 4))]]
    assert score(split, gold)["strict_f1"] == 1


def test_touching_and_orders():
    gold, found = [[m("ADE", (0, 4))]], [[m("ADE", (4, 8))]]
    assert score(found, gold)["lenient_tp"] == 0
    assert score(found, gold, touching=True)["lenient_tp"] == 1
    gold = [[m("ADE", (0, 3)), m("ADE", (4, 14))]]
    found = [[m("ADE", (2, 13)), m("ADE", (13, 20))]]
    assert [score(found, gold, order=order)["lenient_tp"] for order in ORDERS] == [1, 1, 2]


def test_words():
    texts = ["left atrium dilated"]
    gold, found = [[m("ADE", (0, 11))]], [[m("ADE", (9, 19))]]
    assert score(found, gold)["lenient_tp"] == 1
    assert score(found, gold, overlap="word", texts=texts)["lenient_tp"] == 0


@thorough
@given(corpora(), st.integers(0, 99))
def test_laws_of_the_engine(corpus, seed):
    laws.hold_for_the_engine(score, count, corpus, seed)


@given(corpora(), st.integers(0, 99))
def test_laws(corpus, seed):
    references, predictions = corpus
    laws.order_of_units_does_not_matter(score, predictions, references, seed)
    results = score(predictions, references)
    laws.scores_are_flat_numbers(results)
    assert results["strict_tp"] <= min(results["lenient_tp"], results["boundary_tp"])
    assert results["boundary_f1"] <= results["partial_f1"]


def test_perfect_predictions():
    gold = [[m("Drug", (0, 4)), m("ADE", (2, 9), (12, 14))], []]
    keys = [f"{name}_f1" for name in ("strict", "lenient", "boundary", "partial", "type")]
    keys += ["macro_strict_f1", "drug_lenient_f1", "ade_strict_recall"]
    laws.perfect_predictions_score_one(score, gold, keys)


@given(corpora())
def test_sides_swap(corpus):
    references, predictions = corpus
    swap = lambda *sides, **_: score(*sides, labels=LABELS)  # noqa: E731
    laws.swapping_sides_swaps_precision_and_recall(
        swap, predictions, references, ["strict", "boundary"]
    )


@pytest.mark.parametrize(("predictions", "parts"), [
    ([[{"spans": [[0, 4]]}]], ["mention 0", "'label' is missing"]),
    ([[{"spans": [[0, 4]], "label": ""}]], ["label", "mention 0"]),
    ([[{"spans": [[4, 0]], "label": "Drug"}]], ["mention 0"]),
])  # fmt: skip
def test_bad_mentions_are_refused(predictions, parts):
    laws.refuses(lambda: score(predictions, [[]]), *parts)


def test_bad_options_are_refused():
    gold = [[m("Drug", (0, 4)), m("drug", (6, 9))]]
    laws.refuses(lambda: score(gold, gold), "'drug'", "Rename it")
    laws.refuses(lambda: score(gold, gold, labels=["macro"]), "labels", "macro")
    laws.refuses(lambda: score(gold, gold, order="first"), "closest")
    laws.refuses(lambda: clineval.score(NAME, gold, gold, protocol="official"), "spec")


def test_other_labels_are_left_out_with_a_warning():
    gold = [[m("Drug", (0, 4)), m("ADE", (6, 9))]]
    with pytest.warns(InputWarning, match="references: 1 mention has a label"):
        results = score(gold, gold, labels="Drug")
    assert (results["strict_tp"], results["strict_fn"]) == (1, 0)
    assert "labels:drug|" in results["signature"]


def test_it_reads_brat_and_json_lines(tmp_path):
    for side in ("gold", "found"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.txt").write_text("aspirin, rash")
    (tmp_path / "gold" / "a.ann").write_text("T1\tDrug 0 7\taspirin\nT2\tADE 9 13\trash\n")
    (tmp_path / "found" / "a.ann").write_text("T1\tDrug 0 7\taspirin\n")
    results = score(tmp_path / "found", tmp_path / "gold")
    assert (results["strict_tp"], results["strict_fn"]) == (1, 1)
    lines = tmp_path / "found.jsonl"
    document = {"id": "a", "mentions": [m("Drug", (0, 7))]}
    lines.write_text(json.dumps(document))
    del results["signature"]
    again = score(lines, tmp_path / "gold")
    del again["signature"]
    assert again == results


def test_worked_examples():
    """Counted by hand: see PROVENANCE.md."""
    cases = json.loads((DATA / "oracle" / NAME / "cases.json").read_text())
    assert len(cases) >= 8
    for name, case in cases.items():
        found = score(case["predictions"], case["references"], **case.get("options", {}))
        assert {key: found[key] for key in case["scores"]} == pytest.approx(case["scores"]), name


def test_tables_have_a_row_for_each_label_and_groups_the_main_scores():
    corpus = find_challenge(NAME).task.corpora
    sides = corpus / "gold.jsonl", corpus / "tagger.jsonl"
    printed = invoke(["score", NAME, *sides, "--format", "json"])
    assert json.loads(printed.stdout)["scores"]["problem_strict_tp"] == 9
    table = invoke(["score", NAME, *sides]).stdout.partition("Labels, strict")[2]
    row = next(line for line in table.split("\n") if line.startswith("problem"))
    assert row.split()[-3:] == ["9", "5", "6"]
    groups = invoke(["score", NAME, *sides, "--by", "label", "--format", "csv"]).stdout
    assert "problem_strict_tp" in groups.splitlines()[0]
    shown = break_down(clineval.evaluate(NAME, *sides[::-1]).outcomes, "label").table()
    assert "strict_f1" in shown.columns
    assert not any(column.startswith("problem") for column in shown.columns)


def test_counts_with_other_labels_are_not_added():
    one, two = ([[m(label, (0, 4))]] for label in ("Drug", "ADE"))
    counts = [clineval.count(NAME, side, side) for side in (one, two)]
    laws.refuses(lambda: counts[0] + counts[1], "labels")


def test_relations_in_brats_files_are_counted_and_left_out(tmp_path):
    lines = ["T1\tDrug 0 7\taspirin", "T2\tADE 9 13\trash", "R1\tCause Arg1:T1 Arg2:T2"]
    (tmp_path / "a.ann").write_text("\n".join([*lines, "R2\tCause Arg1:T2 Arg2:T1"]) + "\n")
    with pytest.warns(clineval.InputWarning, match="2 relations in brat's files are ignored"):
        assert clineval.score("clinical_spans", tmp_path, tmp_path)["strict_tp"] == 2
