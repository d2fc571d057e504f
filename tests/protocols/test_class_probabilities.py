"""Probabilities of classes: equal to a plain scorer, to scikit-learn, and to laws."""

import json
import math
import warnings

import laws
import numpy as np
import pytest
from commands import invoke
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from outside import install
from sklearn import metrics
from thorough import fewer

import clineval
from clineval import Challenge, Classes, InputError, InputWarning, Task
from clineval.definitions import class_probabilities as plain
from clineval.training import compute_metrics_for

VALUES, QUESTIONS = ("YES", "NO", "MAYBE"), ("pain", "itch")
NAME = "pain_status"
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)
KEYS = ("roc_auc", "pr_auc", "brier")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@pytest.fixture(scope="module", autouse=True)
def site(tmp_path_factory):
    source = (DATA / "outside" / f"{NAME}.py").read_text()
    with install(tmp_path_factory.mktemp("site"), **{NAME: source}):
        yield


def declare(values=VALUES, questions=("pain",), **options):
    task = Task("own", "Own", "https://x.org/", definition="d", file=__file__)
    return Challenge(task, {"spec": Classes(values, questions, probabilities=True, **options)})


def shares_of(values=VALUES):
    """A few levels, so that many are equal; with one answer they need not add up to 1."""
    return st.fixed_dictionaries(dict.fromkeys(values, st.sampled_from(LEVELS)))


def with_shares(shares, **answers):
    return answers | ({"probabilities": shares} if shares else {})


def of_areas(score):
    return {key: value for key, value in score.values.items() if key.endswith(KEYS)}


gold_answers = st.sampled_from([*VALUES, None])
documents = st.tuples(gold_answers, st.none() | shares_of(), st.sampled_from([*VALUES, None]))
corpora = st.lists(documents, min_size=1, max_size=7)


def question_of(gold, shares, answer):
    """What the plain scorer takes, or None if nobody answers."""
    none = dict.fromkeys(VALUES, 0.0)
    counted = shares or ({**none, answer: 1.0} if answer else none)
    answered = answer or (shares and max(shares.values()) > 0)
    return ({gold} - {None}, counted) if gold or answered else None


def likeliest(shares):
    return max(VALUES, key=shares.get) if shares and any(shares.values()) else None


@given(corpora)
def test_one_answer_is_scored_as_a_plain_scorer_does(corpus):
    founds = [with_shares(shares, pain=answer) for _, shares, answer in corpus]
    score = clineval.score(declare(), founds, [gold for gold, *_ in corpus])
    asked = [question for row in corpus if (question := question_of(*row))]
    if not any(shares for _, shares, _ in corpus):
        assert not of_areas(score)
        return
    assert of_areas(score) == pytest.approx(plain.score(asked, VALUES))
    answers = [
        answer
        or (max(VALUES, key=lambda v: shares[v]) if shares and any(shares.values()) else None)
        for _, shares, answer in corpus
    ]
    right = sum(
        gold is not None and gold == found
        for (gold, *_), found in zip(corpus, answers, strict=True)
    )
    assert score["micro_tp"] == right


several = st.lists(
    st.tuples(
        st.fixed_dictionaries(
            {q: st.lists(st.sampled_from(VALUES), unique=True) for q in QUESTIONS}
        ),
        st.fixed_dictionaries({q: shares_of() for q in QUESTIONS}),
    ),
    min_size=1,
    max_size=5,
)


@given(several, st.sampled_from(LEVELS))
def test_several_answers_are_scored_as_a_plain_scorer_does(corpus, threshold):
    golds, founds = [gold for gold, _ in corpus], [with_shares(shares) for _, shares in corpus]
    challenge = declare(questions=QUESTIONS, several=True)
    score = clineval.score(challenge, founds, golds, threshold=threshold)
    asked = {q: [({*gold[q]}, shares[q]) for gold, shares in corpus] for q in QUESTIONS}
    wanted = plain.score([*asked["pain"], *asked["itch"]], VALUES, several=True)
    for question, of_question in asked.items():
        wanted |= plain.score(of_question, VALUES, several=True, prefix=f"{question}_")
    assert of_areas(score) == pytest.approx(wanted)
    accepted = [
        value in gold
        for of_question in asked.values()
        for gold, shares in of_question
        for value in VALUES
        if shares[value] >= threshold
    ]
    assert (score["micro_tp"], score["micro_fp"]) == (sum(accepted), len(accepted) - sum(accepted))
    assert f"threshold:{threshold!r}" in str(score.signature)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("digits", [1, 3])
@pytest.mark.parametrize("seed", range(3))
def test_several_classes_are_scored_as_scikit_learn_does(seed, digits):
    random = np.random.default_rng(seed)
    gold = random.choice(VALUES, 60)
    table = random.dirichlet([1, 1, 1], 60).round(digits)
    founds = [with_shares(dict(zip(VALUES, row, strict=True))) for row in table.tolist()]
    score = clineval.score(declare(), founds, gold.tolist())
    truth = gold[:, None] == np.array(VALUES)
    for name, function in (
        ("roc_auc", metrics.roc_auc_score), ("pr_auc", metrics.average_precision_score),
    ):  # fmt: skip
        each = function(truth, table, average=None)
        wanted = {f"{v.lower()}_{name}": of for v, of in zip(VALUES, each, strict=True)}
        wanted[f"macro_{name}"] = function(truth, table, average="macro")
        assert {key: score[key] for key in wanted} == pytest.approx(wanted)
    distances = [metrics.brier_score_loss(truth[:, at], table[:, at]) for at in range(3)]
    assert score["brier"] == pytest.approx(sum(distances))
    if digits > 1:
        order = np.argsort(VALUES)
        exact = table[:, order] / table.sum(axis=1, keepdims=True)
        assert score["brier"] == pytest.approx(
            metrics.brier_score_loss(gold, exact, labels=sorted(VALUES)), abs=0.01
        )


@pytest.mark.parametrize("seed", range(3))
def test_two_classes_are_scored_as_scikit_learn_does(seed):
    random = np.random.default_rng(seed)
    truth, shares = random.random(50) < 0.3, random.random(50).round(1)
    founds = [with_shares({"YES": share, "NO": 1 - share}) for share in shares.tolist()]
    golds = np.where(truth, "YES", "NO").tolist()
    challenge = declare(("YES", "NO"), positive="YES")
    score = clineval.score(challenge, founds, golds, threshold=0.4)
    wanted = {
        "roc_auc": metrics.roc_auc_score(truth, shares),
        "yes_roc_auc": metrics.roc_auc_score(truth, shares),
        "pr_auc": metrics.average_precision_score(truth, shares),
        "brier": metrics.brier_score_loss(truth, shares),
        "yes_f1": metrics.f1_score(truth, shares >= 0.4),
        "mcc": metrics.matthews_corrcoef(truth, shares >= 0.4),
    }
    assert {key: score[key] for key in wanted} == pytest.approx(wanted)


def test_a_worked_example():
    """YES .8 right, .6 wrong, .4 right; .2 wrong: 3 of 4 pairs; (1/1 + 2/3) / 2."""
    shares = [0.8, 0.6, 0.4, 0.2]
    founds = [with_shares({"YES": share, "NO": 1 - share}) for share in shares]
    score = clineval.score(
        declare(("YES", "NO"), positive="YES"), founds, ["YES", "NO", "YES", "NO"]
    )
    assert score["roc_auc"] == pytest.approx(3 / 4)
    assert score["pr_auc"] == pytest.approx(5 / 6)
    assert score["brier"] == pytest.approx((0.04 + 0.36 + 0.36 + 0.04) / 4)
    perfect = [
        with_shares({"YES": float(of == "YES"), "NO": float(of == "NO")}) for of in VALUES[:2]
    ]
    best = clineval.score(declare(("YES", "NO"), positive="YES"), perfect, VALUES[:2])
    assert (best["roc_auc"], best["pr_auc"], best["brier"]) == (1, 1, 0)


class TestLaws:
    @fewer(0.5)
    @given(corpora, st.integers(0, 9))
    def test_the_engine(self, corpus, seed):
        golds = [gold for gold, *_ in corpus]
        founds = [with_shares(shares, status=answer) for _, shares, answer in corpus]
        laws.hold_for_the_engine(
            lambda *sides: clineval.score(NAME, *sides).as_dict(),
            lambda *sides: clineval.count(NAME, *sides),
            (golds, founds),
            seed,
        )

    @fewer(0.5)
    @given(corpora)
    def test_parts_change_nothing(self, corpus):
        golds = [gold for gold, *_ in corpus]
        founds = [with_shares(shares, status=answer) for _, shares, answer in corpus]
        whole = clineval.score(NAME, founds, golds)
        for size in (1, 2):
            parts = clineval.count(NAME, founds, golds, batch_size=size, jobs=1)
            assert parts.score().values == whole.values

    @given(corpora)
    def test_a_monotone_change_keeps_areas(self, corpus):
        """Areas depend on the order of probabilities alone."""
        golds = [gold for gold, *_ in corpus]
        founds = [shares or dict.fromkeys(VALUES, 0.0) for _, shares, _ in corpus]
        halved = [{value: of / 2 for value, of in shares.items()} for shares in founds]
        one, other = (
            of_areas(clineval.score(declare(), list(map(with_shares, each)), golds))
            for each in (founds, halved)
        )
        assert {k: v for k, v in one.items() if "brier" not in k} == {
            k: v for k, v in other.items() if "brier" not in k
        }


def spread(seed, size=40):
    """A larger corpus, in which most answers are right."""
    random = np.random.default_rng(seed)
    golds = random.choice(VALUES, size).tolist()
    table = random.dirichlet([1, 1, 1], size) + 0.5 * (np.array(golds)[:, None] == np.array(VALUES))
    table = (table / table.sum(axis=1, keepdims=True)).round(3)
    return golds, [with_shares(dict(zip(VALUES, row, strict=True))) for row in table.tolist()]


class TestIntervals:
    def test_scores_of_drawn_corpora_are_those_of_these_corpora(self):
        golds, founds = spread(1, 9)
        founds[3] = {"status": "NO"}
        counts = clineval.count(NAME, founds, golds)
        times = [2, 0, 1, 3, 0, 1, 1, 1, 0]
        repeated = [at for at, n in enumerate(times) for _ in range(n)]
        found = counts.finish((np.array(times) @ counts.rows)[None])
        expected = clineval.score(
            NAME, [founds[at] for at in repeated], [golds[at] for at in repeated]
        )
        assert {*of_areas(expected)} >= {"yes_roc_auc", "macro_pr_auc", "brier"}
        for key, value in of_areas(expected).items():
            assert found[key][0] == pytest.approx(value), key

    def test_every_score_has_an_interval_around_it(self):
        golds, founds = spread(2)
        score = clineval.score(NAME, founds, golds, confidence=0.9, n_resamples=200)
        assert {*of_areas(score)} <= {*score.intervals}
        for key in of_areas(score):
            low, high = score.intervals[key]
            assert low <= score[key] <= high, key

    def test_systems_are_compared(self):
        golds, founds = spread(3)
        other = spread(4)[1]
        comparison = clineval.compare(NAME, {"a": founds, "b": other}, golds)
        assert comparison.differences["b"]["macro_roc_auc"].value == pytest.approx(
            clineval.score(NAME, other, golds)["macro_roc_auc"]
            - clineval.score(NAME, founds, golds)["macro_roc_auc"]
        )


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_systems_with_and_without_probabilities_are_compared_by_shared_scores(order):
    """The order of systems does not matter; a warning counts what only one of them has."""
    golds, founds = spread(3)
    systems = [("with", founds), ("without", golds)]
    with pytest.warns(InputWarning, match=r"9 scores are not compared, .* lack them: .*brier"):
        comparison = clineval.compare(NAME, dict(systems[at] for at in order), golds)
    assert "macro_f1" in comparison.compared
    assert not any(key.endswith(KEYS) for key in comparison.compared)
    assert comparison.sheet(comparison.choose_keys(["all"])).tables()


def test_without_probabilities_no_area_is_shown_and_nothing_else_changes():
    golds, founds = ["YES", "NO", "NO"], ["YES", "YES", None]
    plainly = Challenge(
        Task("own", "Own", "https://x.org/", definition="d", file=__file__),
        {"spec": Classes(VALUES, ("pain",))},
    )
    one, other = (
        clineval.score(each, founds, golds, confidence=0.9) for each in (declare(), plainly)
    )
    assert one.as_dict() == other.as_dict()
    assert one.counts.rows.shape == other.counts.rows.shape


def test_undefined_areas_are_left_out_with_a_warning():
    founds = [with_shares({"YES": 0.5, "NO": 0.25, "MAYBE": 0.25})] * 2
    score = clineval.score(declare(), founds, ["YES", "NO"])
    with pytest.warns(InputWarning) as caught:
        assert "maybe_roc_auc" not in score
    [warned] = {str(each.message) for each in caught}
    assert warned == "2 scores are undefined: maybe_roc_auc, maybe_pr_auc"
    assert score["macro_roc_auc"] == 0.5


def test_no_warning_if_all_is_defined():
    golds, founds = spread(5)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert clineval.score(NAME, founds, golds)["brier"] > 0


class TestThresholds:
    rows = st.lists(st.tuples(st.sampled_from(LEVELS), st.booleans()), min_size=1, max_size=9)

    @given(rows.filter(lambda rows: any(truth for _, truth in rows)))
    def test_the_best_threshold_of_a_development_set(self, rows):
        golds = ["YES" if truth else "NO" for _, truth in rows]
        founds = [with_shares({"YES": share, "NO": 1 - share}) for share, _ in rows]
        challenge = declare(("YES", "NO"), positive="YES")
        score = clineval.score(challenge, founds, golds, threshold_from=(golds, founds))
        best = plain.best_threshold(rows)
        assert f"|threshold:{best!r}|" in str(score.signature)
        again = clineval.score(challenge, founds, golds, threshold=best)
        assert again.as_dict() == score.as_dict()
        for level in LEVELS:
            other = clineval.score(challenge, founds, golds, threshold=level)
            assert other["yes_f1"] <= score["yes_f1"]

    def test_a_development_set_of_several_answers(self):
        challenge = declare(("A", "B"), ("pain",), several=True)
        founds = [with_shares({"A": 0.3, "B": 0.2}), with_shares({"A": 0.1, "B": 0.25})]
        golds = [["A"], ["B"]]
        score = clineval.score(challenge, founds, golds, threshold_from=(golds, founds))
        assert "threshold:0.25" in str(score.signature)
        assert score["micro_f1"] == 1

    @pytest.mark.parametrize(
        ("options", "problem"),
        [
            ({"threshold": 2}, "threshold: expected a number from 0 to 1, got 2"),
            ({"threshold_from": "dev.csv"}, "threshold_from: expected the references and"),
            ({"threshold_from": (["YES"], ["YES"])}, "threshold_from: expected probabilities"),
            (
                {"threshold": 0.3, "threshold_from": (["YES"], ["YES"])},
                "give either threshold or threshold_from",
            ),
        ],
    )
    def test_wrong_thresholds_are_rejected(self, options, problem):
        with pytest.raises(InputError, match=problem):
            clineval.score(declare(("YES", "NO"), positive="YES"), ["YES"], ["YES"], **options)

    def test_the_likeliest_class_needs_no_threshold(self):
        with pytest.raises(InputError, match=r"threshold: the likeliest class .* positive"):
            clineval.score(declare(), ["YES"], ["YES"], threshold=0.3)


FORMS = {
    "jsonl": '{"id": "a", "probabilities": {"yes": 0.5, "NO": 0.25, "MAYBE": 0.25}}\n'
    '{"id": "b", "pain": "NO", "probabilities": {"pain": {"YES": 1, "NO": 0, "MAYBE": 0}}}\n'
    '{"id": "c", "pain": "MAYBE"}\n',
    "csv": "id,pain,Yes,no,maybe\na,,.5,0.25,2.5e-1\nb,NO,1,0,0\nc,MAYBE,,,\n",
    "tsv": "id\tpain=YES\tpain=NO\tpain=MAYBE\tlabel\na\t.5\t.25\t.25\t\nb\t1\t0\t0\tNO\n"
    "c\t\t\t\tMAYBE\n",
}


@pytest.mark.parametrize("ending", FORMS)
@pytest.mark.parametrize("written", FORMS)
def test_files_of_every_form_say_the_same(ending, written, tmp_path):
    path = tmp_path / f"found.{ending}"
    path.write_text(FORMS[ending])
    challenge = declare()
    golds = {"a": "YES", "b": "YES", "c": "MAYBE"}
    score = clineval.score(challenge, path, golds)
    assert (score["micro_tp"], score["micro_fp"]) == (2, 1)
    read = clineval.read(path, challenge)
    assert read[0]["probabilities"] == {"YES": 0.5, "NO": 0.25, "MAYBE": 0.25}
    other = tmp_path / f"again.{written}"
    form = challenge.document_form()
    assert form.write(form.list_files(path), other) == 2
    assert clineval.read(other, challenge) == read
    assert clineval.score(challenge, other, golds).as_dict() == score.as_dict()


def test_several_questions_have_columns_of_their_own(tmp_path):
    path = tmp_path / "found.csv"
    path.write_text("id,pain=YES,pain=NO,pain=MAYBE,itch\na,0.5,0.25,0.25,yes\n")
    challenge = declare(questions=QUESTIONS)
    [found] = clineval.read(path, challenge)
    shares = {"pain": {"YES": 0.5, "NO": 0.25, "MAYBE": 0.25}}
    assert found == {"id": "a", "itch": "YES", "probabilities": shares}
    form = challenge.document_form()
    form.write(form.list_files(path), tmp_path / "again.csv")
    assert clineval.read(tmp_path / "again.csv", challenge) == [found]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("id,YES,NO\na,.5,.5\n", r"found\.csv:1: probabilities, pain: .* got none for MAYBE"),
        ("id,YES,NO,MAYBE\na,.5,.5,\n", r"found\.csv:2: probabilities, pain: .* none for MAYBE"),
        ("id,YES,NO,MAYBE\na,.5,.5,nan\n", r"found\.csv:2: probabilities, pain, MAYBE: expected a"),
        ("id,YES,NO,MAYBE\na,.5,1.5,0\n", r"found\.csv:2: probabilities, pain, NO: expected a num"),
        (
            "id,YES,NO,MAYBE,pain=yes\na,1,0,0,1\n",
            r"found\.csv:1: .*pain: two columns",
        ),
        (
            "id,pain,YES,NO,MAYBE\na,YES,1,0,0\na,NO,1,0,0\n",
            r"occurs twice",
        ),
    ],
)
def test_bad_tables_are_refused_with_their_line(text, problem, tmp_path):
    path = tmp_path / "found.csv"
    path.write_text(text)
    with pytest.raises(InputError, match=problem):
        clineval.score(declare(), path, {"a": "YES"})


@pytest.mark.parametrize(
    ("shares", "problem"),
    [
        ({"YES": math.nan, "NO": 0, "MAYBE": 0}, "document 0: probabilities, pain, YES: expected"),
        (
            {"YES": -0.1, "NO": 0, "MAYBE": 0},
            "document 0: probabilities, pain, YES: expected",
        ),
        ({"YES": "1", "NO": 0, "MAYBE": 0}, "document 0: probabilities, pain, YES: expected"),
        ({"YES": 1.0}, "document 0: probabilities, pain: .* none for NO, MAYBE"),
        (
            {"YES": 1, "yes": 1, "NO": 0},
            "document 0: probabilities, pain: expected each of",
        ),
        ({"PERHAPS": 1.0}, "document 0: probabilities, pain: expected each of YES, NO, MAYBE once"),
        ({"itch": {"YES": 1.0}}, "document 0: probabilities: unknown 'itch', expected pain"),
        ([0.1, 0.2], "document 0: probabilities: expected a dict of classes and numbers"),
    ],
)
def test_bad_probabilities_are_refused_with_their_document(shares, problem):
    with pytest.raises(InputError, match=problem):
        clineval.score(declare(), [{"probabilities": shares}], ["YES"])


def test_references_have_answers_and_no_probabilities():
    found = with_shares({"YES": 0.5, "NO": 0.5, "MAYBE": 0})
    with pytest.raises(InputError, match="references, document 0: pain: expected the prob"):
        clineval.score(declare(), ["YES"], [found])
    sure = with_shares({"YES": 1, "NO": 0, "MAYBE": 0})
    assert clineval.score(declare(), ["YES"], [sure])["accuracy"] == 1
    both = with_shares({"YES": 1, "NO": 1, "MAYBE": 0})
    with pytest.raises(InputError, match="there is an answer already"):
        clineval.score(declare(), ["YES"], [both])


def test_doubtful_probabilities_are_warned_of():
    founds = [with_shares({"YES": 0.5, "NO": 0, "MAYBE": 0}), {"pain": "YES"}, {}]
    with pytest.warns(InputWarning) as caught:
        clineval.score(declare(), founds, ["YES"] * 3)
    assert [str(each.message) for each in caught] == [
        "1 document has answers without probabilities, which count as 1: 1",
        "1 document has probabilities that do not add up to 1: 0",
        "1 document lacks predicted answers, which count as missed: 2",
    ]


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"values": VALUES, "positive": "YES"}, "positive: expected two classes"),
        ({"values": ("A", "B"), "positive": "C"}, "positive"),
        ({"values": ("A", "B"), "positive": "A", "several": True}, "positive: expected two"),
        ({"values": ("A",), "questions": ("probabilities",)}, "questions: .* reserved"),
    ],
)
def test_declarations_are_checked(options, problem):
    with pytest.raises(InputError, match=problem):
        declare(**options)
    with pytest.raises(InputError, match="positive: it needs probabilities=True"):
        Classes(("A", "B"), positive="A")


class TestFaces:
    @pytest.fixture
    def sides(self, tmp_path):
        golds, founds = spread(6, 12)
        gold, found = tmp_path / "gold.csv", tmp_path / "found.jsonl"
        gold.write_text("id,status\n" + "".join(f"n{n},{of}\n" for n, of in enumerate(golds)))
        rows = ({"id": f"n{number}", **of} for number, of in enumerate(founds))
        found.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return gold, found

    def run(self, *words):
        done = invoke([*map(str, words), "--format", "json"])
        assert done.exit_code == 0, (done.output, done.exception)
        return json.loads(done.stdout)

    def test_commands(self, sides):
        golds, founds = spread(6, 12)
        wanted = of_areas(clineval.score(NAME, founds, golds))
        assert wanted
        for more in ((), ("--jobs", "2"), ("--confidence", ".9"), ("--per-document",)):
            scores = self.run("score", NAME, *sides, *more)["scores"]
            assert {key: scores[key] for key in wanted} == wanted
        assert invoke(["validate", NAME, str(sides[1])]).exit_code == 0
        groups = self.run("score", NAME, *sides, "--by", "status")["groups"]
        assert {*groups} == {*VALUES}
        other = sides[1].with_name("other.jsonl")
        other.write_text(sides[1].read_text())
        compared = self.run("compare", NAME, *sides, other, "--score", "macro_roc_auc,brier")
        assert compared["differences"]["other"]["brier"]["value"] == 0

    def test_the_logits_of_a_trainer(self):
        """The softmax of logits; a classifier may have its classes in another order."""
        logits = np.array([[2.0, 1.0, -1.0], [0.0, 3.0, 0.5], [1.0, 1.5, 1.0]])
        labels = ["NO", "YES", "MAYBE"]
        found = compute_metrics_for(NAME, None, ["NO", "YES", "YES"], labels)
        found.add(logits)
        scores = found.compute()
        powers = np.exp(logits)
        shares = powers / powers.sum(axis=1, keepdims=True)
        founds = [with_shares(dict(zip(labels, row, strict=True))) for row in shares.tolist()]
        assert scores == pytest.approx(
            dict(clineval.score(NAME, founds, ["NO", "YES", "YES"]).items())
        )

    def test_categories_of_docs(self):
        import spacy

        from spacy_clin import score_docs

        nlp = spacy.blank("en")
        founds = [{"YES": 0.75, "NO": 0.25}, {"YES": 0.5, "NO": 0.5}, {"MAYBE": 1.0}]
        golds = [{"YES": 1.0, "NO": 0.0, "MAYBE": 0.0}, {"NO": 1.0}, {"YES": 1.0}]
        docs = []
        for side in (founds, golds):
            docs.append([nlp.make_doc("x") for _ in side])
            for doc, cats in zip(docs[-1], side, strict=True):
                doc.cats = cats
        score = score_docs(*docs[::-1], NAME)
        none = dict.fromkeys(VALUES, 0.0)
        wanted = clineval.score(
            NAME, [with_shares({**none, **of}) for of in founds], ["YES", "NO", "YES"]
        )
        assert of_areas(wanted) == {key: score[key] for key in of_areas(wanted)}
