"""Scores that options add, and a least overlap: by hand, against plain scorers, and laws."""

import re
from statistics import mean

import laws
import pytest
import spacy
from hypothesis import given
from hypothesis import strategies as st
from labelled_corpora import LABELS, corpora, slotted_corpora
from nervaluate.evaluator import Evaluator
from sklearn.metrics import fbeta_score, precision_recall_fscore_support

import clineval
from clineval.answers import Alignment
from clineval.answers import score as score_answers
from clineval.challenges.clinical_spans import definition as plain
from clineval.evaluation.analysis.breakdown import break_down
from clineval.workbench.build import build_workbench
from clineval.workbench.pairs import pair_mentions
from spacy_clin import score_docs, set_mentions

NAME = "clinical_spans"
ADDED = {"tokens": True, "weighted": True, "beta": 2, "document_accuracy": True}
NEW = re.compile(r"(^|_)tokens_|^weighted_|_fbeta$|^document_accuracy$|^right_documents$")
SHARES = st.sampled_from([0.1, 0.25, 1 / 3, 0.5, 2 / 3, 0.75, 1.0])
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def m(label, *fragments, **slots):
    return {"spans": [list(fragment) for fragment in fragments], "label": label, **slots}


def score(predictions, references, **options):
    found = clineval.score(NAME, predictions, references, **options).as_dict()
    return {
        key: value for key, value in found.items() if "leaked" not in key and "gold_" not in key
    }


def without_seams(mention):
    """The mention with touching fragments as one, as its characters do not tell them apart."""
    spans = []
    for start, end in sorted(mention["spans"]):
        if spans and spans[-1][1] == start:
            spans[-1][1] = end
        else:
            spans.append([start, end])
    return {**mention, "spans": spans}


@st.composite
def noted_corpora(draw):
    """A corpus with a text for each document, of short words and long ones."""
    references, predictions = draw(corpora())
    letters = st.text(st.sampled_from("ab -"), min_size=24, max_size=24)
    return references, predictions, [draw(letters) for _ in references]


class TestALeastOverlap:
    @given(
        noted_corpora(),
        st.none() | SHARES,
        st.none() | SHARES,
        st.sampled_from(["character", "hull", "word"]),
        st.sampled_from(["closest", "position"]),
    )
    def test_it_is_the_plain_scorer(self, corpus, least, iou, overlap, order):
        references, predictions, texts = corpus
        rules = {"overlap": overlap, "order": order}
        pairs = list(zip(references, predictions, strict=True))
        expected = plain.score(pairs, texts=texts, min_overlap=least or 0,
                              iou=iou or 0, **rules)  # fmt: skip
        found = score(predictions, references, texts=texts, min_overlap=least, iou=iou, **rules)
        del found["signature"]
        assert found == pytest.approx(expected)

    @given(noted_corpora(), SHARES, SHARES)
    def test_a_higher_share_pairs_no_more_and_keeps_equal_mentions(self, corpus, one, two):
        references, predictions, _ = corpus
        low, high = sorted([one, two])
        for option in ("min_overlap", "iou"):
            pairs = [
                score(predictions, references, **{option: share}) for share in (low, high, 1.0)
            ]
            assert pairs[0]["strict_tp"] == pairs[2]["strict_tp"]
            assert all(each["strict_tp"] <= each["lenient_tp"] for each in pairs)
            assert all(each["boundary_tp"] <= each["partial_cor"] for each in pairs)
        sides = [[list(map(without_seams, doc)) for doc in side] for side in corpus[:2]]
        whole = score(*sides, iou=1.0)
        assert whole["lenient_tp"] == whole["strict_tp"]
        assert whole["partial_cor"] == whole["boundary_tp"]
        assert whole["partial_par"] == 0

    @given(noted_corpora(), SHARES)
    def test_iou_is_the_same_from_both_sides(self, corpus, share):
        references, predictions, _ = corpus
        one = score(predictions, references, iou=share, labels=LABELS)
        two = score(references, predictions, iou=share, labels=LABELS)
        assert one["strict_tp"] == two["strict_tp"]
        assert (one["lenient_tp"] > 0) == (two["lenient_tp"] > 0)

    @given(
        st.lists(
            st.tuples(*[st.sampled_from(LABELS), st.integers(0, 9), st.integers(1, 9)] * 2),
            min_size=1,
            max_size=4,
        ),
        st.sampled_from([10, 25, 50, 75, 100]),
    )
    def test_of_single_mentions_it_is_nervaluate(self, documents, percentage):
        """One mention on each side, so that no pair competes with another."""
        references = [[m(label, (at, at + size))] for label, at, size, *_ in documents]
        predictions = [[m(label, (at, at + size))] for *_, label, at, size in documents]
        theirs = Evaluator(
            *([[{"label": a["label"], "start": a["spans"][0][0], "end": a["spans"][0][1] - 1}
                for a in document] for document in side] for side in (references, predictions)),
            tags=list(LABELS), loader="dict", min_overlap_percentage=float(percentage),
        ).evaluate()["overall"]  # fmt: skip
        found = score(predictions, references, min_overlap=percentage / 100, labels=LABELS)
        names = {"strict": "strict", "boundary": "exact", "partial": "partial", "type": "ent_type"}
        for name, other in names.items():
            counts = theirs[other]
            assert (found[f"{name}_cor"], found[f"{name}_inc"], found[f"{name}_par"]) == (
                counts.correct, counts.incorrect, counts.partial,
            )  # fmt: skip
            assert found[f"{name}_f1"] == pytest.approx(counts.f1)

    def test_by_hand(self):
        gold, found = [[m("A", (0, 10))]], [[m("A", (5, 20))]]
        for options, pairs in (
            ({}, 1), ({"min_overlap": 0.5}, 1), ({"min_overlap": 0.51}, 0), ({"iou": 0.25}, 1),
            ({"iou": 0.26}, 0), ({"min_overlap": 0.5, "iou": 0.26}, 0), ({"min_overlap": "0.5"}, 1),
        ):  # fmt: skip
            assert score(found, gold, **options)["lenient_tp"] == pairs, options
        split = [[m("A", (0, 4), (10, 14))]]
        assert score([[m("A", (0, 4))]], split, min_overlap=0.5)["lenient_tp"] == 1
        assert score([[m("A", (0, 4))]], split, min_overlap=0.5, overlap="hull")["lenient_tp"] == 0

    def test_it_is_in_the_signature_only_if_it_is_used(self):
        gold = [[m("A", (0, 10))]]
        assert "order:closest|docs" in score(gold, gold)["signature"]
        found = score(gold, gold, min_overlap=0.5, iou=1 / 3)["signature"]
        assert "order:closest|min_overlap:0.5|iou:0.3333333333333333|docs" in found

    @pytest.mark.parametrize("share", [0, -0.1, 1.1, 50, True, "half", float("nan"), "nan", [0.5]])
    def test_other_values_are_refused(self, share):
        for option in ("min_overlap", "iou"):
            expected = f"{option}: expected a number above 0 and at most 1"
            laws.refuses(lambda name=option: score([[]], [[]], **{name: share}), expected)

    def test_touching_mentions_have_no_least_overlap(self):
        laws.refuses(lambda: score([[]], [[]], iou=0.5, touching=True), "touching: mentions that")

    @given(noted_corpora(), SHARES)
    def test_the_page_recounts_it(self, corpus, share):
        references, predictions, _ = corpus
        options = {"min_overlap": share, "iou": share, "labels": LABELS}
        evaluation = clineval.evaluate(NAME, predictions, references, **options)
        page = evaluation.challenge.faces.page
        paired, scores = pair_mentions(evaluation, page), evaluation.score()
        recounted = 0
        for check in page.checks:
            partners = paired.pairing(check.match, check.criterion)
            counts = {
                "tp": (partners.gold >= 0).sum(), "fn": (partners.gold == -1).sum(),
                "fp": (partners.prediction == -1).sum(),
            }  # fmt: skip
            if check.measure in counts:
                assert scores[check.key] == counts[check.measure], check.key
                recounted += 1
        assert recounted == 9


class TestTokens:
    @given(noted_corpora())
    def test_it_is_the_plain_scorer(self, corpus):
        references, predictions, texts = corpus
        found = score(predictions, references, tokens=True, texts=texts)
        labels = sorted({each["label"] for side in corpus[:2] for doc in side for each in doc})
        expected = plain.tokens(predictions, references, texts, labels)
        assert {key: found[key] for key in expected} == pytest.approx(expected)
        for measure in ("precision", "recall", "f1"):
            macro, _ = plain.means(expected, labels, "tokens", measure)
            assert found[f"macro_tokens_{measure}"] == pytest.approx(macro)

    @given(noted_corpora(), st.integers(0, 99))
    def test_laws(self, corpus, seed):
        references, predictions, texts = corpus
        options = {"labels": LABELS, "tokens": True, "texts": texts}
        laws.order_of_units_does_not_matter(
            lambda p, r: score(p, r, **options), predictions, references, seed
        )
        laws.swapping_sides_swaps_precision_and_recall(
            lambda p, r: score(p, r, **options), predictions, references, ["tokens", "drug_tokens"]
        )
        perfect = score(references, references, **options)
        assert perfect["tokens_fp"] == perfect["tokens_fn"] == 0
        fused = [[m(each["label"], span) for each in doc for span in each["spans"]]
                 for doc in predictions]  # fmt: skip
        keys = ("tokens_tp", "tokens_fp", "tokens_fn")
        both = [score(side, references, **options) for side in (predictions, fused)]
        assert [both[0][key] for key in keys] == [both[1][key] for key in keys]

    def test_by_hand(self):
        text = "left atrium is di-lated"
        gold = [[m("A", (0, 11)), m("A", (5, 14)), m("B", (15, 23))]]
        found = [[m("A", (3, 14)), m("B", (15, 17)), m("B", (0, 4))]]
        scores = score(found, gold, tokens=True, texts=[text])
        keys = ("tokens_tp", "tokens_fp", "tokens_fn")
        # gold: left, atrium, is; di, lated. Found: atrium, is; di, left
        assert [scores[key] for key in keys] == [3, 1, 2]
        assert [scores[f"a_{key}"] for key in keys] == [2, 0, 1]
        assert [scores[f"b_{key}"] for key in keys] == [1, 1, 1]

    def test_texts_are_needed_where_there_are_mentions(self):
        gold = [[m("A", (0, 4))], []]
        message = laws.refuses(lambda: score(gold, gold, tokens=True), "tokens needs the text")
        assert message.endswith("Pass texts=, or leave out tokens=")
        mixed = {"tokens": True, "texts": ["pain", None]}
        assert score(gold, gold, **mixed)["tokens_tp"] == 1

    def test_files_of_words_bring_their_texts(self, tmp_path):
        lines = "Famotidine\t{}\nassociated\t{}\n\nde-lirium\t{}\n"
        (tmp_path / "gold.conll").write_text(lines.format("B-A", "I-A", "B-B"))
        (tmp_path / "found.conll").write_text(lines.format("B-A", "O", "B-A"))
        sides = tmp_path / "found.conll", tmp_path / "gold.conll"
        scores = clineval.score(NAME, *sides, tokens=True)
        # de and lirium are words of their own
        assert [scores[f"tokens_{verdict}"] for verdict in ("tp", "fp", "fn")] == [1, 2, 3]

    def test_docs_bring_their_texts(self):
        nlp = spacy.blank("en")
        docs = [nlp.make_doc("left atrium is dilated") for _ in range(2)]
        for doc, start in zip(docs, (0, 5), strict=True):
            set_mentions(doc, [m("Site", (start, 11))])
        scores = score_docs(docs[:1], docs[1:], NAME, tokens=True, beta=2, min_overlap=0.6)
        assert (scores["tokens_tp"], scores["tokens_fn"], scores["lenient_tp"]) == (1, 1, 0)
        assert scores["tokens_fbeta"] == pytest.approx(5 / 9)

    def test_long_mentions_that_overlap_take_little_memory(self):
        """A word of two mentions is held once."""
        text = "a " * 20_000
        dense = [[m("A", (at, 40_000)) for at in range(0, 4_000, 2)]]
        assert score(dense, dense[:1], tokens=True, texts=[text])["tokens_tp"] == 20_000


class TestMeansAndBeta:
    @given(noted_corpora(), st.sampled_from([0.5, 1, 2, 3.7]))
    def test_they_are_the_plain_means(self, corpus, beta):
        references, predictions, texts = corpus
        found = score(predictions, references, texts=texts, **{**ADDED, "beta": beta})
        labels = sorted({each["label"] for side in corpus[:2] for doc in side for each in doc})
        f_betas = dict(found)
        for key in found:
            if key.endswith("_fbeta") and not re.match("macro|weighted", key):
                name = key.removesuffix("_fbeta")
                sides = found[f"{name}_precision"], found[f"{name}_recall"]
                assert found[key] == pytest.approx(plain.f_beta(*sides, beta)), key
                if beta == 1:
                    assert found[key] == pytest.approx(found[f"{name}_f1"]), key
        for name in ("strict", "lenient", "tokens"):
            for measure in ("precision", "recall", "f1", "fbeta"):
                macro, weighted = plain.means(f_betas, labels, name, measure)
                if labels:
                    assert found[f"macro_{name}_{measure}"] == pytest.approx(macro)
                    assert found[f"weighted_{name}_{measure}"] == pytest.approx(weighted)

    @given(
        st.lists(
            st.tuples(st.sampled_from(LABELS), st.sampled_from(LABELS)), min_size=1, max_size=20
        ),
        st.sampled_from([0.5, 2]),
    )
    def test_of_given_spans_it_is_scikit_learn(self, pairs, beta):
        """Every span is on both sides, so that strict scores are those of a classification."""
        gold, found = zip(*pairs, strict=True)
        sides = (
            [[m(label, (2 * at, 2 * at + 1)) for at, label in enumerate(side)]]
            for side in (found, gold)
        )
        scores = score(*sides, weighted=True, beta=beta)
        for average in ("macro", "weighted"):
            theirs = precision_recall_fscore_support(gold, found, average=average, zero_division=0)
            for measure, expected in zip(("precision", "recall", "f1"), theirs, strict=False):
                assert scores[f"{average}_strict_{measure}"] == pytest.approx(expected)
            expected = fbeta_score(gold, found, beta=beta, average=average, zero_division=0)
            assert scores[f"{average}_strict_fbeta"] == pytest.approx(expected)
        expected = fbeta_score(gold, found, beta=beta, average="micro", zero_division=0)
        assert scores["strict_fbeta"] == pytest.approx(expected)

    def test_groups_and_slots_have_them(self):
        gold = [[m("A", (0, 4), neg=True), m("A", (9, 12)), m("B", (5, 8))]]
        found = [[m("A", (0, 4)), m("B", (5, 9))]]
        options = {"slots": ["neg"], "beta": 2, "weighted": True}
        scores = score(found, gold, **options)
        assert scores["strict_slots_fbeta"] == 0
        assert scores["strict_fbeta"] == pytest.approx(5 / (5 + 4 * 2 + 1))
        assert scores["weighted_strict_recall"] == pytest.approx(2 / 3 * 1 / 2)
        groups = break_down(clineval.evaluate(NAME, found, gold, **options).outcomes, "label")
        assert groups.names == ("A", "B")
        assert groups.scores["strict_fbeta"].tolist() == pytest.approx([5 / 9, 0])

    def test_intervals_and_comparisons_have_them(self):
        gold = [[m("A", (0, 4)), m("B", (5, 8))]] * 4 + [[m("A", (0, 4))]] * 4
        found = [[m("A", (0, 4))]] * 8
        options = {"beta": 0.5, "weighted": True, "document_accuracy": True}
        scored = clineval.score(NAME, found, gold, confidence=0.95, **options)
        wanted = {"strict_fbeta", "weighted_strict_f1", "document_accuracy"}
        assert wanted <= scored.intervals.keys()
        low, high = scored.intervals["document_accuracy"]
        assert low < scored["document_accuracy"] == 0.5 < high
        systems = {"one": found, "two": gold}
        compared = clineval.compare(NAME, systems, gold, trials=19, **options)
        assert {"strict_fbeta", "document_accuracy"} <= compared.differences["two"].keys()

    def test_a_label_with_the_name_of_the_means_is_refused(self):
        gold = [[m("Weighted", (0, 4))]]
        laws.refuses(lambda: score(gold, gold, weighted=True), "weighted", "Rename the label")
        assert score(gold, gold)["weighted_strict_f1"] == 1

    def test_few_units_of_labels_mark_their_means(self):
        gold = [[m("A", (0, 4)), m("B", (5, 8))]] * 40
        found = [*[[m("A", (0, 4))]] * 20, *[[]] * 20]
        options = {"confidence": 0.95, "beta": 2, "weighted": True}
        few = clineval.score(NAME, found, gold, **options).few_units
        assert {"b_strict_f1", "macro_strict_f1"} <= {*few}
        assert {"b_strict_fbeta", "macro_strict_fbeta", "weighted_strict_f1",
                "weighted_strict_fbeta"} <= {*few}  # fmt: skip

    def test_counts_with_an_impossible_beta_are_refused(self):
        gold = [[m("A", (0, 4))]]
        text = clineval.count(NAME, gold, gold, beta=2).to_json()
        laws.refuses(lambda: clineval.Counts.from_json(text.replace('"beta": "2"', '"beta": "x"')),
                     "beta: expected a number above 0")  # fmt: skip

    @pytest.mark.parametrize("beta", [0, -1, "two", float("inf"), True])
    def test_other_betas_are_refused(self, beta):
        laws.refuses(lambda: score([[]], [[]], beta=beta), "beta: expected a number above 0")


class TestDocumentAccuracy:
    @given(slotted_corpora(), st.booleans())
    def test_it_is_the_plain_scorer(self, corpus, slots):
        references, predictions = corpus
        names = ("severity",) if slots else ()
        options = {"slots": list(names), "labels": LABELS} if slots else {}
        copied = [*predictions[:-1], references[-1]]
        for found in (predictions, copied, references):
            scores = score(found, references, document_accuracy=True, **options)
            right = plain.right_documents(found, references, names)
            assert scores["right_documents"] == right
            assert scores["document_accuracy"] == pytest.approx(right / len(references))

    def test_documents_of_parts_add_up(self):
        gold = [[m("A", (0, 4))], [m("A", (1, 2))], []]
        found = [gold[0], [], []]
        options = {"labels": ["A"], "document_accuracy": True, "beta": 2, "weighted": True}
        counts = [clineval.count(NAME, [f], [g], **options)
                  for f, g in zip(found, gold, strict=True)]  # fmt: skip
        whole = clineval.Counts.sum(counts)
        again = clineval.Counts.from_json(whole.to_json()).score()
        assert again.as_dict() == whole.score().as_dict()
        assert again["document_accuracy"] == pytest.approx(mean([1, 0, 1]))
        assert "strict_fbeta" in again.as_dict()


@given(noted_corpora())
def test_added_scores_leave_all_others_as_they_are(corpus):
    references, predictions, texts = corpus
    usual = score(predictions, references)
    more = score(predictions, references, texts=texts, **ADDED)
    assert not [key for key in usual if NEW.search(key)]
    assert {key: value for key, value in more.items() if not NEW.search(key)} == {
        **usual, "signature": more["signature"],
    }  # fmt: skip
    fields = "|beta:2|tokens:yes|weighted:yes|document_accuracy:yes|docs:"
    assert more["signature"].replace(fields, "|docs:") == usual["signature"]


def test_a_page_shows_them_without_recounting_them():
    gold = [[m("A", (0, 4))], [m("B", (0, 4))]]
    found = [[m("A", (0, 4))], [m("A", (0, 3))]]
    notes = ["pain", "rash"]
    bench = build_workbench(NAME, gold, {"one": found}, notes=notes, texts=notes, **ADDED)
    checked = {check["key"] for check in bench.head["checks"]}
    assert "strict_f1" in checked
    assert not [key for key in checked if NEW.search(key)]
    rows = bench.write_measures().splitlines()
    for key in ("strict_fbeta", "tokens_f1", "weighted_strict_f1", "document_accuracy"):
        assert [row for row in rows if f",{key}," in row], key


class TestSetsOfTexts:
    """Mentions with texts but without places."""

    @given(
        st.lists(
            st.tuples(
                *[st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from(LABELS)), max_size=5)]
                * 2
            ),
            min_size=1,
            max_size=3,
        )
    )
    def test_they_are_sets(self, documents):
        gold, found = ([
            [{"text": text, "label": label} for text, label in side] for side in sides
        ] for sides in zip(*documents, strict=True))  # fmt: skip
        if not any(gold):
            return
        scores = score_answers(NAME, found, gold, alignment=Alignment(match="set"))
        right = sum(len({*g} & {*f}) for g, f in documents)
        assert scores["strict_tp"] == right
        assert scores["strict_fn"] == sum(len({*g}) for g, _ in documents) - right
        assert scores["strict_fp"] == sum(len({*f}) for _, f in documents) - right
        assert scores["n_answers"] == sum(len(f) for _, f in documents)

    def test_multisets_remain_the_default_of_texts(self):
        gold = [[{"text": "pain", "label": "A"}, {"text": "pain", "label": "A"}]]
        found = [[{"text": "pain", "label": "A"}]]
        for match, recall in (("text", 0.5), ("set", 1.0)):
            result = score_answers(NAME, found, gold, alignment=Alignment(match=match))
            assert result["strict_recall"] == recall
            assert result.signature.settings["answers"] == match

    def test_slots_that_are_scored_make_two(self):
        gold = [[{"text": "pain", "label": "A", "neg": "yes"}, {"text": "pain", "label": "A"}]]
        one = score_answers(NAME, gold, gold, alignment=Alignment(match="set"), slots=["neg"])
        assert (one["strict_tp"], one["strict_slots_tp"]) == (2, 2)
        two = score_answers(NAME, gold, gold, alignment=Alignment(match="set"))
        assert two["strict_tp"] == 1

    def test_texts_of_mentions_with_places_are_compared_as_sets(self):
        gold = [[m("A", (0, 4)), m("A", (9, 13))]]
        found = [[{"text": "pain", "label": "A"}]]
        options = {"texts": ["pain and pain"], "alignment": Alignment(match="set")}
        assert score_answers(NAME, found, gold, **options)["strict_f1"] == 1

    def test_a_mention_with_text_alone_is_told_how_it_is_scored(self):
        one = [[{"text": "pain", "label": "A"}]]
        laws.refuses(lambda: score(one, one), "'spans' is missing, but 'text' is", "match='text'",
                     text=["pain"])  # fmt: skip


def test_what_is_ignored_is_told_what_scores_it(tmp_path):
    lines = ["T1\tDrug 0 7\taspirin", "T2\tADE 9 13\trash", "A1\tNegated T1",
             "R1\tCause Arg1:T1 Arg2:T2", "E1\tDrug:T1 Effect:T2"]  # fmt: skip
    (tmp_path / "a.ann").write_text("\n".join(lines) + "\n")
    with pytest.warns(clineval.InputWarning) as heard:
        clineval.score(NAME, tmp_path, tmp_path)
    said = [str(each.message) for each in heard if "references" in str(each.message)]
    expected = (
        "clinical_events scores events",
        "clinical_relations scores relations",
        "negated. To score it, pass slots=",
    )
    assert all(any(words in each for each in said) for words in expected)
    with pytest.warns(clineval.InputWarning) as heard:
        clineval.score(NAME, tmp_path, tmp_path, slots=["negated"])
    assert not any("attribute" in str(each.message) for each in heard)
    document = {"mentions": [m("A", (0, 4), id="x"), m("A", (5, 9), id="y")],
                "relations": [{"label": "r", "from": "x", "to": "y"}]}  # fmt: skip
    with pytest.warns(
        clineval.InputWarning, match="1 relation of documents is ignored.*_relations"
    ):
        clineval.score(NAME, [document], [document])
