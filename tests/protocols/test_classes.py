"""Classes of documents agree with a plain scorer; files of every form say the same."""

import json
import math
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import matthews_corrcoef

import clineval
from clineval import Challenge, Classes, InputError, Task

VALUES = ("YES", "NO", "MAYBE")
QUESTIONS = ("pain", "itch")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
one = st.sampled_from([*VALUES, None])
some = st.lists(st.sampled_from(VALUES), unique=True, max_size=3)


def declare(questions=QUESTIONS, **options):
    task = Task("own", "Own", "https://x.org/", definition="d", file=__file__)
    return Challenge(task, {"spec": Classes(VALUES, questions, **options)})


def divide(top, bottom):
    return top / bottom if bottom else 0.0


def compute_prf(tp, fp, fn):
    return divide(tp, tp + fp), divide(tp, tp + fn), divide(2 * tp, 2 * tp + fp + fn)


def score_plainly(pairs):
    """Scores of ``(gold, found)`` answers to questions, each a class or None."""
    asked = [pair for pair in pairs if pair != (None, None)]
    right = sum(gold == found for gold, found in asked)
    of_class = {}
    for value in VALUES:
        tp = sum(pair == (value, value) for pair in asked)
        golds, founds = (sum(pair[at] == value for pair in asked) for at in (0, 1))
        of_class[value] = (tp, founds - tp, golds - tp)
    there = [counts for counts in of_class.values() if sum(counts)]
    golds = Counter(gold for gold, _ in asked)
    founds = Counter(found for _, found in asked)
    size = len(asked)
    chance = sum(divide(golds[v], size) * divide(founds[v], size) for v in (*VALUES, None))
    recalls = [compute_prf(*of_class[value])[1] for value in VALUES if golds[value]]
    weights = sum(golds[value] for value in VALUES)
    accuracy = divide(right, size)
    return {
        "questions": size,
        "accuracy": accuracy,
        "micro_f1": compute_prf(*map(sum, zip(*of_class.values(), strict=True)))[2],
        "macro_f1": divide(sum(compute_prf(*c)[2] for c in there), len(there)),
        "weighted_f1": divide(
            sum(compute_prf(*of_class[v])[2] * golds[v] for v in VALUES), weights
        ),
        "balanced_accuracy": divide(sum(recalls), len(recalls)),
        "kappa": (accuracy - chance) / (1 - chance) if size and chance < 1 else None,
        "mcc": correlate(asked),
        "yes_specificity": divide(
            sum(pair[0] != "YES" != pair[1] for pair in asked),
            sum(gold != "YES" for gold, _ in asked),
        ),
    }


def correlate(pairs):
    """The Pearson correlation of indicators of classes, summed over classes (Gorodkin 2004)."""
    covariances = []
    for a, b in ((0, 1), (0, 0), (1, 1)):
        of_classes = 0.0
        for value in (*VALUES, None):
            x, y = ([float(pair[at] == value) for pair in pairs] for at in (a, b))
            of_classes += sum(p * q for p, q in zip(x, y, strict=True)) - divide(
                sum(x) * sum(y), len(pairs)
            )
        covariances.append(of_classes)
    shared, gold, found = covariances
    return divide(shared, math.sqrt(gold * found)) if min(gold, found) > 1e-9 else 0.0


@pytest.mark.filterwarnings("ignore:A single label was found")
@given(st.lists(st.tuples(one, one), min_size=1, max_size=12))
def test_the_matthews_correlation_is_that_of_scikit_learn(pairs):
    gold, found = zip(*pairs, strict=True)
    asked = [pair for pair in pairs if pair != (None, None)] or [(None, None)]
    wanted = matthews_corrcoef(
        *([str(answer) for answer in side] for side in zip(*asked, strict=True))
    )
    score = clineval.score(declare(("pain",)), list(found), list(gold))
    assert score["mcc"] == pytest.approx(wanted, abs=1e-12)
    swapped = clineval.score(declare(("pain",)), list(gold), list(found))
    assert swapped["mcc"] == pytest.approx(score["mcc"], abs=1e-12)


def test_the_matthews_correlation_by_hand():
    """Two classes: (6 * 1 - 1 * 2) / sqrt(7 * 8 * 2 * 3), with tp 6, tn 1, fp 2, fn 1."""
    gold = ["YES"] * 7 + ["NO"] * 3
    found = ["YES"] * 6 + ["NO"] + ["YES"] * 2 + ["NO"]
    score = clineval.score(declare(("pain",)), found, gold)
    assert score["mcc"] == pytest.approx(4 / math.sqrt(336))
    assert clineval.score(declare(("pain",)), gold, gold)["mcc"] == 1
    assert clineval.score(declare(("pain",)), ["YES"] * 10, gold)["mcc"] == 0


@given(st.lists(st.tuples(one, one, one, one), min_size=1, max_size=6))
def test_scores_are_those_of_a_plain_scorer(rows):
    golds, founds = (
        [dict(zip(QUESTIONS, row[at : at + 2], strict=True)) for row in rows] for at in (0, 2)
    )
    score = clineval.score(declare(), founds, golds)
    pairs = [(g[q], f[q]) for g, f in zip(golds, founds, strict=True) for q in QUESTIONS]
    wanted = score_plainly(pairs)
    assert {key: score.get(key) for key in wanted} == pytest.approx(wanted)
    of_pain = score_plainly(pairs[::2])
    assert score["pain_macro_f1"] == pytest.approx(of_pain["macro_f1"])
    alone = clineval.score(
        declare(("pain",)), [f["pain"] for f in founds], [g["pain"] for g in golds]
    )
    assert {key: alone.get(key) for key in of_pain} == pytest.approx(of_pain)


@given(st.lists(st.tuples(some, some), min_size=1, max_size=6))
def test_sets_of_answers_have_subset_accuracy_and_hamming_loss(rows):
    golds, founds = ([list(row[at]) for row in rows] for at in (0, 1))
    score = clineval.score(declare(("finding",), several=True), founds, golds)
    wrong = sum(len({*gold} ^ {*found}) for gold, found in rows)
    assert score["accuracy"] == pytest.approx(
        sum({*gold} == {*found} for gold, found in rows) / len(rows)
    )
    assert score["hamming_loss"] == pytest.approx(wrong / (len(rows) * len(VALUES)))


GOLD = {"a": "YES", "b": "NO", "c": None}
FORMS = {
    "csv": "id,pain\na,yes\nb,NO\nc,\n",
    "tsv": "Filename\tlabel\nb\tNO\na\tYES\nc\t\n",
    "jsonl": '{"id": "a", "pain": "YES"}\n{"id": "c"}\n{"id": "b", "pain": "no"}\n',
}


@pytest.mark.parametrize("ending", FORMS)
def test_files_of_every_form_say_the_same(ending, tmp_path):
    path = tmp_path / f"gold.{ending}"
    path.write_text(FORMS[ending])
    score = clineval.score(declare(("pain",)), path, GOLD)
    assert (score["micro_tp"], score["micro_fp"], score["micro_fn"]) == (2, 0, 0)
    found = {document["id"]: document.get("pain") for document in read(path)}
    assert found == GOLD


def read(path):
    return clineval.read(path, declare(("pain",)))


def test_long_tables_are_read_in_parts(tmp_path):
    """Rows that are odd, beyond the first thousands: another case, no class, no answer."""
    rows = [f"n{number},{VALUES[number % 3]}" for number in range(9000)]
    rows[5000], rows[8999] = "n5000,maybe", "n8999,"
    (tmp_path / "gold.csv").write_text("\n".join(["id,pain", *rows]) + "\n")
    rows[8500] = "n8500,perhaps"
    (tmp_path / "found.csv").write_text("\n".join(["id,pain", *rows]) + "\n")
    gold, found = tmp_path / "gold.csv", tmp_path / "found.csv"
    score = clineval.score(declare(("pain",)), found, gold)
    assert (score["micro_tp"], score["micro_fp"], score["micro_fn"]) == (8998, 0, 1)
    with pytest.raises(InputError, match=r"found\.csv:8502: pain: expected one of YES, NO, MAYBE"):
        clineval.score(declare(("pain",)), gold, found)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,pain\na,YES,NO\n", r"gold\.csv:2: expected 2 cells"),
        ("id,pain\n ,YES\n", r"gold\.csv:2: the name of the document is missing"),
        ("id,pain\na,YES\na,NO\n", "occurs twice"),
        ("name of it,pain\na,YES\n", "expected a column id"),
        ('id,pain\na,"YES\n', "unclosed quotes"),
        ("id,itch\na,YES\n", "expected a column pain"),
    ],
)
def test_bad_tables_are_refused_with_their_line(text, problem, tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        clineval.score(declare(("pain",)), path, path)


def test_lines_are_counted_through_blank_ones_and_cells_of_several_lines(tmp_path):
    path = tmp_path / "gold.csv"
    path.write_text('\n\n"id","pain","text"\na,YES,"one\ntwo"\n\nb,NO,x\nc,PERHAPS,y\n')
    with pytest.raises(InputError, match=r"gold\.csv:8: pain: expected one of"):
        clineval.score(declare(("pain",)), path, path)
    path.write_text(path.read_text().replace("PERHAPS", "no"))
    score = clineval.score(declare(("pain",)), path, {"a": "YES", "b": "NO", "c": "NO"})
    assert (score["micro_tp"], score["n_documents"]) == (3, 3)
    path.write_text('id,"pa\nin"\na,YES\nb,NO\n')
    with pytest.raises(InputError, match="expected a column pain"):
        clineval.score(declare(("pain",)), path, path)


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"values": ()}, "values"),
        ({"values": ("A", "a")}, "values"),
        ({"values": ("A",), "questions": ("id",)}, "questions"),
    ],
)
def test_declarations_are_checked(options, where):
    with pytest.raises(InputError, match=f"^{where}: "):
        Classes(**options)


def test_swapping_sides_swaps_precision_and_recall():
    gold, found = {"a": "YES", "b": "NO"}, {"a": "YES", "b": "YES", "c": "NO"}
    one, other = (
        clineval.score(declare(("pain",)), found, gold),
        clineval.score(declare(("pain",)), gold, found),
    )
    assert one["micro_precision"] == other["micro_recall"]
    assert one["kappa"] == other["kappa"]
    assert json.loads(json.dumps(one.as_dict()))["questions"] == 3
