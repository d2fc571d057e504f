"""The pairs of a report are those behind the counts."""

import csv
import io
from itertools import cycle, repeat

import numpy as np
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

import clineval
from clineval.challenges.clefehealth13_task1.spec import SLOTS
from clineval.workbench import build_workbench
from clineval.workbench.links import NOBODY
from clineval.workbench.measures import measures_csv
from clineval.workbench.pairs import pair_mentions

# the official protocol leaves predictions out, and says so
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
TABLES = {
    "semeval15_task14": {
        "strict": "exact/both",
        "relaxed": "overlap/both",
        "span": "overlap/span",
    },
    "clefehealth13_task1": {"exact": "exact/span", "overlap": "overlap/span"},
}
FOLDERS = [
    (module, folder)
    for module in TABLES
    for folder in sorted((DATA / "oracle" / module).rglob("gold"))
]


def pair(module, predictions, references, **given_):
    evaluation = clineval.evaluate(module, predictions, references, **given_)
    return pair_mentions(evaluation, evaluation.challenge.faces.page)


def check(module, predictions, references, protocol):
    given_ = {"config": "default", "protocol": protocol}
    counts = clineval.count(module, predictions, references, **given_).totals
    paired = pair(module, predictions, references, **given_)
    for prefix, name in TABLES[module].items():
        partners = paired.pairings[name]
        assert counts[f"{prefix}_tp"] == (partners.prediction >= 0).sum()
        assert counts[f"{prefix}_fp"] == (partners.prediction == NOBODY).sum()
        assert counts[f"{prefix}_fn"] == (partners.gold == NOBODY).sum()
    if module == "clefehealth13_task1":
        assert counts["correct"] == (paired.pairings["exact/both"].prediction >= 0).sum()
        assert counts["relaxed_total"] == (paired.pairing("exact", "class").prediction >= 0).sum()
    else:
        pairs = paired.pairing("overlap", "class").prediction >= 0
        for at, slot in enumerate(paired.slots):
            assert counts[f"{slot.name}_equal"] == paired.equal[at][pairs].sum()
    return paired


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpus=corpora())
def test_pairs_are_those_of_semeval15(corpus, protocol):
    references, predictions = corpus
    check("semeval15_task14", predictions, references, protocol)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpus=corpora(slots=SLOTS))
def test_pairs_are_those_of_clefehealth13(corpus, protocol):
    references, predictions = corpus
    check("clefehealth13_task1", predictions, references, protocol)


@pytest.mark.parametrize(("module", "gold"), FOLDERS, ids=lambda x: getattr(x, "parent", x))
def test_pairs_are_those_of_the_released_scripts_inputs(module, gold):
    pred = next(p for p in (gold.parent / "pred", gold.parent / "sys") if p.is_dir())
    try:
        clineval.count(module, pred, gold, protocol="official")
    except clineval.InputError:
        pytest.skip("the protocol refuses this input")
    check(module, pred, gold, "official")


def test_pairs_of_an_empty_fragment_are_what_it_lies_inside_of():
    paired = check("clefehealth13_task1", ["d||D||C1||7||7"], ["d||D||C1||5||10"], "official")
    assert paired.pairing("overlap", "class").prediction.tolist() == [0]
    assert paired.pairing("overlap", "class").gold.tolist() == [0]
    assert paired.pairing("exact", "class").prediction.tolist() == [NOBODY]


@given(corpus=corpora())
def test_pairs_are_each_other_s(corpus):
    references, predictions = corpus
    given_ = {"config": "default", "protocol": "spec"}
    paired = pair("semeval15_task14", predictions, references, **given_)
    for partners in paired.pairings.values():
        rows = np.flatnonzero(partners.gold >= 0)
        assert (partners.prediction[partners.gold[rows]] == rows).all()
        assert (partners.prediction >= 0).sum() == len(rows)


@given(corpus=corpora(), alternatives=st.lists(st.sampled_from(["", ",C1", ",C2"]), min_size=9))
def test_pairs_are_those_of_abbreviations(corpus, alternatives):
    """Of mentions: the gold one's code, and perhaps another one that it could also be."""
    more = cycle(alternatives)
    sides = [
        "".join(
            dict.fromkeys(
                f"{at}.txt||Acronym_Abbrev||{mention['cui'] or 'CUI-less'}{next(codes)}"
                f"||{mention['spans'][0][0]}||{mention['spans'][0][1]}\n"
                for mention in {str(m["spans"][0]): m for m in document}.values()
            )
        )
        for side, codes in zip(corpus, (more, repeat("")), strict=True)
        for at, document in enumerate(side)
    ]
    half = len(sides) // 2
    references, predictions = "".join(sides[:half]), "".join(sides[half:])
    score = clineval.score("clefehealth13_task2", predictions, references)
    paired = pair("clefehealth13_task2", predictions, references, config="default", protocol="spec")
    assert (
        score["strict_correct"]
        == (paired.pairings["exact/both"].gold >= 0).sum()
        == paired.equal.sum()
    )
    assert score["relaxed_correct"] == (paired.pairings["overlap/both"].gold >= 0).sum()
    assert score["total"] == len(paired.corpus.gold)


def test_lists_of_codes_do_not_say_where_abbreviations_are():
    with pytest.raises(clineval.InputError, match="Give files"):
        pair("clefehealth13_task2", ["C1"], [["C1"]], config="default", protocol="spec")


@given(corpus=corpora())
def test_measures_that_a_criterion_does_not_have_are_empty(corpus):
    references, predictions = corpus
    paired = pair("semeval15_task14", predictions, references, config="default", protocol="spec")
    for row in csv.DictReader(io.StringIO(measures_csv({"system": paired}))):
        of_spans = [row[name] for name in ("precision", "recall", "f1")]
        if row["criterion"] == "class":
            assert of_spans == [""] * 3
            right, wrong = int(row["tp"]), int(row["wrong"])
            assert float(row["accuracy"]) == pytest.approx(right / max(right + wrong, 1), abs=1e-6)
        else:
            assert row["accuracy"] == ""
            assert all(of_spans)


@pytest.mark.parametrize(("match", "kind"), [("exact", "strict"), ("overlap", "relaxed")])
def test_answers_for_given_spans_have_an_accuracy_and_no_precision(match, kind):
    """Each of three abbreviations has an answer: one first in its list, one in it, one wrong."""
    references, predictions = [["C1"], ["C2", "C3"], ["C4"]], ["C1", "C3", "C9"]
    sides = [
        "".join(
            f"a||Acronym_Abbrev||{codes}||{9 * at}||{9 * at + 4}\n" for at, codes in enumerate(side)
        )
        for side in ([",".join(codes) for codes in references], predictions)
    ]
    score = clineval.score("clefehealth13_task2", sides[1], sides[0])
    bench = build_workbench("clefehealth13_task2", sides[0], {"one": sides[1]}, with_text=False)
    rows = list(csv.DictReader(io.StringIO(bench.measures)))
    assert all(row[name] == "" for row in rows for name in ("precision", "recall", "f1"))
    [whole] = (row for row in rows if row["class"] == "All" and row["match"] == match)
    assert whole["accuracy"] == f"{score[f'{kind}_accuracy']:.6f}"


@given(corpus=corpora())
def test_classes_add_up_to_all_and_all_is_the_score(corpus):
    references, predictions = corpus
    given_ = {"config": "default", "protocol": "spec"}
    score = clineval.score("semeval15_task14", predictions, references, **given_)
    paired = pair("semeval15_task14", predictions, references, **given_)
    rows = list(csv.DictReader(io.StringIO(measures_csv({"system": paired}))))
    tables = {("exact", "both"): "strict", ("overlap", "both"): "relaxed"}
    tables["overlap", "span"] = "span"
    for row in rows:
        prefix = tables.get((row["match"], row["criterion"]))
        if row["class"] == "All" and prefix:
            assert row["f1"] == f"{score[f'{prefix}_f1']:.6f}"
        if row["class"] != "All" or row["criterion"] == "span":
            continue
        each = [
            other for other in rows
            if (other["match"], other["criterion"]) == (row["match"], row["criterion"])
            and other["class"] not in ("All", "With CUI")
        ]  # fmt: skip
        for name in ("tp", "fp", "fn", "wrong"):
            assert int(row[name]) == sum(int(other[name]) for other in each)


def test_classes_are_spelt_as_on_the_page():
    """A list of codes may have the code that stands for none."""
    sides = [f"a||Acronym_Abbrev||{codes}||0||4\n" for codes in ("CUI-less", "CUI-less,C1")]
    bench = build_workbench("clefehealth13_task2", sides[1], {"one": sides[0]}, with_text=False)
    rows = csv.DictReader(io.StringIO(bench.measures))
    classes = {row["class"] for row in rows} - {"All", "With CUI"}
    (slot,) = bench.head["slots"]
    assert classes == {"CUI-less,C1"} <= set(slot["values"])


def test_documents_without_abbreviations_are_on_the_page_and_do_not_count():
    lines = [f"{name}||Acronym_Abbrev||C1||0||4\n" for name in "ab"]
    bench = build_workbench("clefehealth13_task2", lines[0], {"one": "".join(lines)})
    assert bench.tables["documents"] == ("a", "b")
    assert bench.scores["one"]["n_documents"] == 1
