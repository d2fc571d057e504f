"""Both programs and the definition on random corpora, whole and in parts, and in other faces."""

import json
import re

import numpy as np
import pytest
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from plain import icd_coding_script as script

import clineval
from clineval.answers.rewards import reward
from clineval.cli.options import complete_protocol

NAME = "icd_coding"
CODES = ["401.9", "428.0", "250.00", "V58.61", "38.93", "486"]
DEMO = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
CARD = ROOT / "hub_cards" / NAME / "README.md"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
sets = st.lists(st.sets(st.sampled_from(CODES)), min_size=2, max_size=6)
scores = st.fixed_dictionaries(
    dict.fromkeys(CODES, st.sampled_from([0.1, 0.2, 0.5, 0.6, 0.7, 0.9]))
)


@st.composite
def corpora(draw):
    golds = [
        draw(st.sets(st.sampled_from(CODES), min_size=1)) for _ in range(draw(st.integers(2, 6)))
    ]
    return golds, [draw(scores) for _ in golds]


def as_sets(found):
    return [{code for code, score in of.items() if score > 0.5} for of in found]


def score(golds, found, protocol, **options):
    gold = [sorted(of) for of in golds]
    return clineval.score(NAME, found, gold, codes=CODES, protocol=protocol, **options)


@given(corpora())
def test_caml_is_the_plain_scorer(corpus):
    golds, found = corpus
    ours = score(golds, found, "caml")
    expected = script.caml(golds, as_sets(found), CODES)
    assert {key: ours[key] for key in expected} == pytest.approx(expected, abs=1e-12)


@given(corpora())
def test_edin_is_the_plain_scorer(corpus):
    golds, found = corpus
    ours = score(golds, found, "edin")
    predicted = as_sets(found)
    expected = script.edin(golds, predicted, CODES, "_mullenbach")
    expected |= script.edin_of_gold(golds, predicted)
    assert {key: ours[key] for key in expected} == pytest.approx(expected, abs=1e-9)


@given(corpora())
def test_areas_are_those_of_scikit_learn(corpus):
    metrics = pytest.importorskip("sklearn.metrics")
    golds, found = corpus
    gold = np.array([[code in of for code in CODES] for of in golds])
    values = np.array([[of[code] for code in CODES] for of in found])
    columns = [at for at in range(len(CODES)) if 0 < gold[:, at].sum() < len(golds)]
    each = [metrics.roc_auc_score(gold[:, at], values[:, at]) for at in columns]
    for protocol in ("spec", "caml", "edin"):
        ours = score(golds, found, protocol)
        assert ours["auc_macro"] == pytest.approx(np.mean(each) if each else 0, abs=1e-12)
        if 0 < gold.sum() < gold.size:
            area = metrics.roc_auc_score(gold.ravel(), values.ravel())
            assert ours["auc_micro"] == pytest.approx(area, abs=1e-12)


@given(corpora(), st.sampled_from(["spec", "caml", "edin"]))
def test_parts_add_up_exactly(corpus, protocol):
    golds, found = corpus
    whole = score(golds, found, protocol)
    for size in (1, 3):
        gold = [sorted(of) for of in golds]
        parts = [
            clineval.count(
                NAME, found[at : at + size], gold[at : at + size], codes=CODES, protocol=protocol
            )
            for at in range(0, len(golds), size)
        ]
        joined = clineval.Counts.sum(
            part.named(*(f"{at}-{k}" for k in range(len(part)))) for at, part in enumerate(parts)
        ).score()
        for key in ("micro_f1", "macro_f1", "macro_recall", "auc_micro", "auc_macro"):
            assert joined[key] == whole[key], key


@given(corpora(), st.data(), st.sampled_from(["caml", "edin"]))
def test_a_weight_counts_a_document_as_often(corpus, data, protocol):
    golds, found = corpus
    counts = clineval.count(
        NAME, found, [sorted(of) for of in golds], codes=CODES, protocol=protocol
    )
    drawn = st.lists(st.integers(0, 2), min_size=len(golds), max_size=len(golds)).filter(any)
    weights = data.draw(st.lists(drawn, min_size=2, max_size=4))
    rows = np.array(weights, np.float64) @ counts.rows
    scores = counts.finish(rows)
    for at, times in enumerate(weights):
        repeated = [k for k, n in enumerate(times) for _ in range(n)]
        whole = score([golds[k] for k in repeated], [found[k] for k in repeated], protocol)
        for key in ("macro_f1", "macro_recall", "auc_macro", "precision_at_5", "recall_at_5"):
            assert scores[key][at] == pytest.approx(whole[key]), key
        if protocol == "edin":
            for key in ("micro_f1", "micro_fpr", "exact_match", "map", "r_precision"):
                assert scores[key][at] == pytest.approx(whole[key]), key


def test_tables_have_the_scores_of_the_protocol():
    sides = DEMO / "classifier.json", DEMO / "gold.csv"
    for protocol in ("spec", "caml"):
        found = clineval.score(NAME, *sides, codes=DEMO / "codes.txt", protocol=protocol)
        titles = [table.title for table in found.tables]
        assert ("Means" in titles) == (protocol == "spec")
        assert "Documents, ranks and areas" not in titles
    found = clineval.score(NAME, *sides, codes=DEMO / "codes.txt", protocol="edin")
    assert "Documents, ranks and areas" in [table.title for table in found.tables]


@given(corpora())
def test_the_order_of_documents_does_not_matter(corpus):
    golds, found = corpus
    for protocol in ("spec", "caml", "edin"):
        one, other = score(golds, found, protocol), score(golds[::-1], found[::-1], protocol)
        assert {k: v for k, v in one.items() if k != "signature"} == pytest.approx(
            {k: v for k, v in other.items() if k != "signature"}
        )


@pytest.mark.parametrize("protocol", ["spec", "caml", "edin"])
def test_a_perfect_system_scores_1(protocol):
    golds = [{"401.9", "38.93"}, {"428.0"}, {"401.9"}]
    ours = score(golds, [{code: float(code in of) for code in CODES} for of in golds], protocol)
    for key in ("micro_f1", "auc_micro", "auc_macro"):
        assert ours[key] == pytest.approx(1)
    macro = ours["macro_f1"]
    assert macro == pytest.approx(0.5 if protocol == "caml" else 1)  # three of six codes occur


def test_the_table_which_macro_f1_is_that_of_the_demo():
    text = CARD.read_text().split("<!-- macro: begin -->")[1].split("<!-- macro: end -->")[0]
    rows = re.findall(r"\| `(\w+)` \| `(\w+)` \| (\.\d+) \|", text)
    assert len(rows) == 5
    for protocol, key, value in rows:
        sides = DEMO / "classifier.json", DEMO / "gold.csv"
        found = clineval.score(NAME, *sides, codes=DEMO / "codes.txt", protocol=protocol)
        assert f"{found[key]:.3f}".removeprefix("0") == value


def test_groups_have_the_scores_of_the_protocol(run):
    words = ["score", NAME, DEMO / "gold.csv", DEMO / "classifier.json", "--by", "slot:type"]
    done = run(*words, "--protocol", "caml", "--format", "json")
    groups = json.loads(done.stdout)["groups"]
    assert "micro_accuracy" in groups["diagnosis"]
    assert "macro_gold_f1" not in groups["diagnosis"]


def test_intervals_contain_the_scores():
    for protocol in ("spec", "caml", "edin"):
        sides = DEMO / "classifier.json", DEMO / "gold.csv"
        found = clineval.score(NAME, *sides, protocol=protocol, confidence=0.9, n_resamples=50)
        for key in ("micro_f1", "macro_f1", "auc_micro"):
            low, high = found.intervals[key]
            assert 0 <= low <= high <= 1


def test_official_is_refused_with_the_protocols():
    with pytest.raises(clineval.InputError, match="expected one of spec, caml, edin"):
        score([{"486"}], [{"486": 1.0}], "official")


def test_the_shell_completes_the_protocols_of_the_module():
    class Context:
        def __init__(self, module):
            self.params = {"module": module}

    assert complete_protocol(Context(NAME), "") == ["spec", "caml", "edin"]
    assert complete_protocol(Context("codiesp20"), "o") == ["official"]
    assert complete_protocol(Context(None), "") == ["spec", "official"]


@pytest.mark.parametrize("option", ["ranked", "ignore_points"])
def test_a_program_has_no_options_of_the_definition(option):
    with pytest.raises(clineval.InputError, match=option):
        score([{"486"}], [{"486": 1.0}], "caml", **{option: True})


def test_answers_never_stop_a_reward():
    answers = [
        '["401.9"]',
        '[{"code": "401.9", "score": 0.9}]',
        "none",
        '["777.7"]',
        '[{"code": 3}]',
    ]
    for protocol in ("spec", "caml", "edin"):
        found = reward(NAME, answers, [["401.9"]] * 5, protocol=protocol, codes=CODES)
        assert found[:3] == pytest.approx([1, 1, 0])
