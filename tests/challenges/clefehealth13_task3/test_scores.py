"""ShARe/CLEF 2013 Task 3: trec_eval's outputs, forms of input, laws, bad input."""

import math
import re
import sys
from functools import partial

import ir_measures
import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import AP, RR, Bpref, P, Rprec, Success, nDCG

import clineval
from clineval.challenges.clefehealth13_task3 import CHALLENGE
from clineval.challenges.clefehealth13_task3.corpus import rank
from clineval.challenges.clefehealth13_task3.official import atof
from clineval.challenges.clefehealth13_task3.trec_measures import (
    DEFAULT,
    FAMILIES,
    PLAIN,
    name_measures,
)
from clineval.formats.checking import find_problems

NAME = "clefehealth13_task3"
ORACLE = DATA / "oracle" / NAME
QRELS = {"q1": {"a": 1, "b": 0, "c": 2}, "q2": {"d": 1, "e": 0}}
RUN = {"q1": {"a": 2.0, "b": 1.5, "x": 1.0}, "q2": {"e": 2.0, "d": 2.0}}
TOPICS = st.dictionaries(
    st.sampled_from(["q1", "q2", "q3"]),
    st.dictionaries(st.sampled_from("abcdef"), st.integers(0, 3), min_size=1),
    min_size=1,
)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(run, qrels, **options):
    return clineval.score(NAME, run, qrels, **options).as_dict()


def count(run, qrels, **options):
    return clineval.count(NAME, run, qrels, **options)


class TestTrecEval:
    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            ("map", AP), ("P_10", P @ 10), ("ndcg_cut_10", nDCG @ 10), ("Rprec", Rprec),
            ("bpref", Bpref), ("recip_rank", RR), ("success_5", Success @ 5),
        ],
        ids=str,
    )  # fmt: skip
    def test_ir_measures_agrees(self, ours, theirs):
        qrels = ir_measures.read_trec_qrels(str(ORACLE / "qrels.txt"))
        run = ir_measures.read_trec_run(str(ORACLE / "missing.run"))
        expected = ir_measures.calc_aggregate([theirs], qrels, run)[theirs]
        result = score(ORACLE / "missing.run", ORACLE / "qrels.txt", measures=[ours])
        assert result[ours] == pytest.approx(expected, abs=1e-12)


class TestRanking:
    def test_ties_are_broken_by_document_descending(self):
        qrels = {"q": {"a": 1}}
        assert score({"q": {"a": 1.0, "b": 1.0}}, qrels)["recip_rank"] == 0.5
        assert score({"q": {"a": 1.0, "0": 1.0}}, qrels)["recip_rank"] == 1

    @pytest.mark.parametrize("measure", ["recip_rank", "iprec_at_recall_1.00"])
    def test_scores_are_compared_as_32_bit_numbers(self, measure):
        qrels = {"q": {"a": 1, "b": 0}}
        assert score({"q": {"a": 0.5, "b": 0.5 - 1e-12}}, qrels, measures=[measure])[measure] == 0.5
        assert score({"q": {"a": 0.5, "b": 0.5 - 1e-6}}, qrels, measures=[measure])[measure] == 1

    @given(
        st.dictionaries(
            st.text("abé\U0001f600", max_size=2),
            st.sampled_from([0.0, -0.0, 0.5, 0.5 - 1e-12, 1e39, 1e40, math.inf, -math.inf]),
            min_size=1,
        )
    )
    def test_the_binding_ranks_as_we_show_it(self, scores):
        """The reciprocal rank of each document, if it were the relevant one."""
        ranked = rank(list(scores), list(scores.values()))
        for place, at in enumerate(ranked, 1):
            qrels = {"q": {list(scores)[at]: 1}}
            result = score({"q": scores}, qrels, measures=["recip_rank"], protocol="official")
            assert result["recip_rank"] == pytest.approx(1 / place)

    def test_the_rank_column_is_ignored(self):
        qrels = "q 0 a 1\nq 0 b 0\n"
        lines = ["q Q0 a 9 2.0 t\n", "q Q0 b 1 1.0 t\n"]
        assert score("".join(lines), qrels)["recip_rank"] == 1

    def test_what_is_not_judged_is_not_relevant(self):
        result = score({"q": {"x": 2.0, "a": 1.0}}, {"q": {"a": 1}}, measures="map P_2 num_ret")
        assert (result["map"], result["P_2"], result["num_ret"]) == (0.5, 0.5, 2)


class TestTopics:
    def test_a_missing_topic_counts_nothing_or_not_at_all(self):
        run = {"q1": RUN["q1"]}
        complete, retrieved = (score(run, QRELS, complete=c) for c in (True, False))
        assert (complete["num_q"], retrieved["num_q"]) == (2, 1)
        assert complete["map"] == retrieved["map"] / 2
        assert (complete["num_rel"], retrieved["num_rel"]) == (3, 2)

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    def test_every_judged_topic_is_a_row(self, protocol):
        run = {"q1": RUN["q1"], "q9": {"a": 1.0}}
        measures = ["num_rel", "map", "gm_map", "iprec_at_recall_0.00"]
        for complete, last in ((True, (1, 1, 0, 1e-5, 0)), (False, (0, 0, 0, 0, 0))):
            options = {"protocol": protocol, "complete": complete, "measures": measures}
            rows = clineval.score(NAME, run, QRELS, **options).per_document
            assert [row["document"] for row in rows] == ["q1", "q2"]
            assert tuple(rows[1].values())[1:] == pytest.approx(last)

    def test_a_topic_without_documents_is_missing(self):
        run, qrels = {**RUN, "q2": {}}, {**QRELS, "q3": {}}
        without = {"q1": RUN["q1"]}
        for complete in (True, False):
            assert score(run, qrels, complete=complete) == score(without, QRELS, complete=complete)

    def test_missing_and_unjudged_topics_are_named(self):
        with pytest.warns(clineval.InputWarning) as caught:
            result = score({"q1": RUN["q1"], "q9": {"a": 1.0}}, QRELS)
        messages = [str(warning.message) for warning in caught]
        assert "not judged and does not count: q9" in messages[0]
        assert "missing from the run and counts 0: q2" in messages[1]
        assert result["num_ret"] == 3

    def test_no_topic_at_all_is_zero(self):
        result = score({}, {}, measures=["map", "gm_map", "P_5"])
        assert (result["map"], result["gm_map"], result["P_5"], result["num_q"]) == (0, 0, 0, 0)
        laws.scores_are_flat_numbers(result)

    def test_topics_are_rows(self):
        result = clineval.score(NAME, RUN, QRELS, measures=["map", "gm_map"])
        rows = result.per_document
        assert [row["document"] for row in rows] == ["q1", "q2"]
        assert result["map"] == pytest.approx(sum(row["map"] for row in rows) / 2)
        mean = math.exp(sum(math.log(row["gm_map"]) for row in rows) / 2)
        assert result["gm_map"] == pytest.approx(mean)


class TestMeasures:
    def test_the_lab_s_measures_come_by_default(self):
        result = score(RUN, QRELS)
        assert set(result) == {*DEFAULT, "n_documents", "signature"}
        assert "|topics:judged|level:1|measures:default|" in result["signature"]

    def test_those_asked_for_are_the_keys_and_in_the_signature(self):
        result = score(RUN, QRELS, measures="P.5,7 ndcg")
        assert set(result) == {"num_q", "P_5", "P_7", "ndcg", "n_documents", "signature"}
        assert "|measures:P_5+P_7+ndcg|" in result["signature"]

    def test_all_are_there_by_trec_eval_s_names(self):
        lines = (ORACLE / "ties.l1.complete.txt").read_text().splitlines()
        names = {line.split()[0] for line in lines} - {"runid", "relstring"}
        assert names == set(name_measures("all_trec"))

    @pytest.mark.parametrize("name", ["rbp", "rbp_resid", "unj", "unj_5", "unj.5,10"])
    def test_those_of_version_10_are_refused_with_the_reason(self, name):
        said = "is a measure of trec_eval 10", "version 9"
        laws.refuses(lambda: score(RUN, QRELS, measures=[name]), f"measures: {name!r} ", *said)

    @pytest.mark.parametrize("measures", [0, 1.5, object(), b"map", [["map"]], [None]])
    def test_names_are_expected(self, measures):
        laws.refuses(lambda: score(RUN, QRELS, measures=measures), "measures: expected")

    @pytest.mark.parametrize(
        ("asked", "named"),
        [
            (["P_05"], ("P_5",)),
            ("iprec_at_recall.0,.25", ("iprec_at_recall_0.00", "iprec_at_recall_0.25")),
            ("map,11pt_avg,P.5,10,G", ("map", "11pt_avg", "P_5", "P_10", "G")),
            (["map", "map"], ("map",)),
            (
                "P@10,ndcg@5,map@20 recall@5,10",
                ("P_10", "ndcg_cut_5", "map_cut_20", "recall_5", "recall_10"),
            ),
            ("set_F.0.50,set_F_2,set_F", ("set_F.0.5", "set_F.2", "set_F")),
        ],
    )
    def test_names_are_those_that_trec_eval_prints(self, asked, named):
        assert name_measures(asked) == named

    @pytest.mark.parametrize(
        "name",
        ["P_0", "P_-1", "P_x", "P_", "P_5.5", "map_5", "foo", "Success@5", "iprec_at_recall_1.5",
         "Rprec_mult_x", "utility_1,2", "", 5, "num_q "],
    )  # fmt: skip
    def test_unknown_ones_are_refused(self, name):
        """Some of these names crash the binding, and Python with it."""
        laws.refuses(lambda: score(RUN, QRELS, measures=[name]), "measures: ")

    @given(TOPICS, TOPICS)
    def test_set_f_weighs_precision_and_recall(self, run, qrels):
        """As trec_eval says of it: (x + 1) P R / (R + x P)."""
        asked = ["set_P", "set_recall", "set_F", "set_F.0.5", "set_F.1", "set_F.20"]
        for row in clineval.score(NAME, run, qrels, measures=asked).per_document:
            p, r = row["set_P"], row["set_recall"]
            for weight in (0.5, 1, 20):
                expected = (weight + 1) * p * r / (r + weight * p) if p and r else 0
                assert row[f"set_F.{weight:g}"] == pytest.approx(expected)
            assert row["set_F"] == row["set_F.1"]

    @pytest.mark.parametrize(
        ("asked", "said"),
        [
            ("mpa", "unknown measure 'mpa', expected one of 34. Did you mean map?"),
            ("Success@5", "unknown measure 'Success@5'"),
            ("map, Pe_10 ndcg", "unknown measure 'Pe_10'"),
            (["foo", "bar"], "unknown measure 'foo'"),
            ("utility.1,-1,0,0", "utility has no parameters here"),
            ("ndcg.1=3.5,2=9", "ndcg has no parameters here"),
            ("set_F.x", "set_F: expected a number"),
        ],
    )
    def test_unknown_ones_are_shown_with_the_nearest(self, asked, said):
        laws.refuses(lambda: score(RUN, QRELS, measures=asked), f"measures: {said}")

    @pytest.mark.parametrize("words", ["Szymanowski has fever", "map of Szymanowski here"])
    def test_words_of_a_text_are_not_shown(self, words):
        said = f"a string of {len(words)} characters"
        laws.refuses(lambda: score(RUN, QRELS, measures=words), said, text=["Szymanowski"])

    @given(TOPICS, TOPICS, st.sampled_from([*PLAIN, *FAMILIES]))
    def test_every_one_is_a_number_whatever_the_data(self, run, qrels, measure):
        result = score(run, qrels, measures=[measure])
        laws.scores_are_flat_numbers(result)
        assert set(result) == set(score(RUN, QRELS, measures=[measure]))

    def test_without_the_binding_the_message_says_what_to_install(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "pytrec_eval", None)
        laws.refuses(lambda: score(RUN, QRELS), "pip install pytrec-eval-terrier", "'clineval[ir]'")


class TestForms:
    def as_columns(self, topics, value):
        rows = [(t, d, v) for t, documents in topics.items() for d, v in documents.items()]
        names = ("query", "docid", value)
        return dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))

    def as_lines(self, topics, *, qrels):
        end = "{v}" if qrels else "1 {v} tag"
        return "".join(
            f"{t} Q0 {d} {end.format(v=v)}\n" for t, docs in topics.items() for d, v in docs.items()
        )

    def test_all_forms_score_alike(self, tmp_path):
        expected = score(RUN, QRELS)
        run, qrels = self.as_columns(RUN, "score"), self.as_columns(QRELS, "rel")
        assert score([run], [qrels]) == expected
        assert (
            score([{t: d} for t, d in RUN.items()], [{t: d} for t, d in QRELS.items()]) == expected
        )
        lines = self.as_lines(RUN, qrels=False), self.as_lines(QRELS, qrels=True)
        assert score(*lines) == expected
        assert score("\n \n" + lines[0].replace(" ", "\t"), lines[1]) == expected
        paths = tmp_path / "run.txt", tmp_path / "qrels.txt"
        for path, text in zip(paths, lines, strict=True):
            path.write_text(text.replace("\n", "\r\n"))
        assert score(*paths) == expected
        assert score(*map(str, paths)) == expected

    def test_the_input_of_evaluate_s_trec_eval(self):
        """Its documentation's example, with the scores that it gives."""
        qrel = {"query": [0], "q0": ["q0"], "docid": ["doc_1"], "rel": [2]}
        run = {
            "query": [0, 0], "q0": ["q0", "q0"], "docid": ["doc_2", "doc_1"], "rank": [0, 1],
            "score": [1.5, 1.2], "system": ["test", "test"],
        }  # fmt: skip
        result = score([run], [qrel])
        assert (result["map"], result["P_5"]) == (0.5, 0.2)
        assert result["ndcg_cut_10"] == pytest.approx(0.6309297535714574)


class TestLaws:
    @given(TOPICS, TOPICS, st.randoms(use_true_random=False))
    def test_order_of_topics_and_documents_does_not_matter(self, run, qrels, chance):
        def mixed(topics):
            return {
                topic: dict(chance.sample(sorted(topics[topic].items()), len(topics[topic])))
                for topic in chance.sample(sorted(topics), len(topics))
            }

        assert score(mixed(run), mixed(qrels)) == pytest.approx(score(run, qrels), abs=1e-12)

    @given(TOPICS, TOPICS)
    def test_counts_of_topics_add_up(self, run, qrels):
        parts = [({t: run[t]} if t in run else {}, {t: qrels[t]}) for t in qrels]
        counts = [count(*part, measures="all_trec") for part in parts]
        whole = count(run, qrels, measures="all_trec")
        joined = sum(counts[1:], counts[0])
        assert joined.score().as_dict() == whole.score().as_dict()

    @given(TOPICS, TOPICS)
    def test_counts_survive_json(self, run, qrels):
        laws.counts_survive_json(count, run, qrels)

    @given(TOPICS)
    def test_the_ideal_run_has_the_highest_scores(self, qrels):
        relevant = {t: docs for t, docs in qrels.items() if any(docs.values())}
        if relevant:
            result = score(relevant, relevant, measures="map ndcg Rprec recip_rank P_1")
            keys = ("ndcg", "recip_rank", "P_1", "map", "Rprec")
            assert [result[key] for key in keys] == pytest.approx([1.0] * 5)

    def test_judgments_are_digested(self):
        signature = score(RUN, QRELS)["signature"]
        other = score(RUN, {**QRELS, "q2": {"d": 2, "e": 0}})["signature"]
        assert signature != other


class TestBadInput:
    @pytest.mark.parametrize(
        ("run", "said"),
        [
            ("q Q0 a 1 1.0\n", ("<string>:1", "6 columns", "got 5")),
            ("q Q0 a 1 1.0 t\n\nq Q0 b 2 x t\n", ("<string>:3", "score: expected a finite number")),
            ("q Q0 a 1 nan t\n", ("<string>:1", "score")),
            ("q Q0 a 1 1.0 t\nq Q0 a 2 0.5 t\n", ("<string>:2", "a occurs twice in topic q")),
            ({"q": ["a"]}, ("run, topic q", "expected a dict", "got a list")),
            ({"q": {"a": "x"}}, ("run, topic q, document a", "score")),
            ({"q": {"a": None}}, ("run, topic q, document a", "got None")),
            ([{"query": [1], "docid": ["a"]}], ("run: column 'score' is missing",)),
            ([{"query": [1], "docid": ["a"], "score": []}], ("columns of one length",)),
            (3, ("run: expected a path", "got 3")),
            (["{oops"], ("run: expected JSON",)),
            ("nowhere.run", ("nowhere.run", "no such file")),
        ],
    )
    def test_runs_are_refused_with_the_place(self, run, said):
        laws.refuses(lambda: score(run, QRELS), *said)

    @pytest.mark.parametrize(
        ("run", "said"),
        [
            ({"q": {"a": 10**400}}, "score: expected a finite number, got an integer of more"),
            ("q Q0 a 1 1e400 t\n", "<string>:1: score: expected a finite number"),
            ("q Q0 a 1 1_0 t\n", "<string>:1: score: expected a finite number"),
            ("q Q0 a 1 \u0661 t\n", "<string>:1: score: expected a finite number"),
            ({"query": 5, "docid": ["a"], "score": [1]}, "column 'query': expected a list, got 5"),
            ({"query": "q", "docid": "a", "score": "1"}, "column 'query': expected a list"),
            ("{" * 100_000, "run: expected JSON"),
        ],
    )
    def test_what_is_no_number_or_no_run_is_refused(self, run, said):
        laws.refuses(lambda: score(run, QRELS), said)

    def test_judgments_are_whole_numbers(self):
        laws.refuses(lambda: score(RUN, {"q1": {"a": 0.5}}), "judgments, topic q1, document a")
        laws.refuses(lambda: score(RUN, "q1 0 a 0.5\n"), "<string>:1", "a whole number")
        laws.refuses(lambda: score(RUN, "q1 0 a 1_0\n"), "<string>:1", "a whole number")

    def test_a_directory_is_no_run(self, tmp_path):
        laws.refuses(lambda: score(tmp_path, QRELS), tmp_path.name, "expected a file")

    @pytest.mark.parametrize(
        "level", [0, "2", 1.0, None, True, 128, 10**6, 2**31 - 1, 2**31, 2**63, 10**400]
    )
    def test_the_relevance_level_is_a_whole_number(self, level):
        said = "relevance_level: expected a whole number from 1 to 127, got "
        laws.refuses(lambda: score(RUN, QRELS, relevance_level=level), said)

    @pytest.mark.parametrize("complete", ["no", "yes", 0, 1, None, [True]])
    def test_complete_is_true_or_false(self, complete):
        said = "complete: expected True or False, got "
        laws.refuses(lambda: score(RUN, QRELS, complete=complete), said)


@pytest.mark.parametrize("protocol", ["spec", "official"])
class TestWhatTheBindingDoesNotBear:
    """Each of these ended the process, or read memory that nothing had been written to."""

    def test_a_topic_with_negative_judgments_only(self, protocol):
        """trec_eval itself says that it cannot calculate it, and stops."""
        qrels = {"q": {"a": -1}, "r": {"a": 1}}
        for run in ({"q": {"a": 1.0, "b": 2.0}}, {"q": {"b": 2.0}}):
            for measures in (None, "gm_map", "all_trec"):
                call = partial(score, run, qrels, protocol=protocol, measures=measures)
                laws.refuses(call, "judgments, topic q: all judgments are negative")

    def test_unless_the_run_lacks_it(self, protocol):
        """Then trec_eval never looks at the judgments, and counts 0."""
        qrels = {"q1": {"a": -1}, "q2": {"d": 1}}
        result = score({"q2": {"d": 1.0}}, qrels, measures="map num_rel", protocol=protocol)
        assert (result["map"], result["num_rel"], result["num_q"]) == (0.5, 1, 2)

    @pytest.mark.parametrize("judgment", [128, -128, 2**31, 2**63 - 1, 2**63, -(2**63), 10**400])
    def test_judgments_beyond_its_range(self, protocol, judgment):
        said = "rel: expected a whole number from -127 to 127, got "
        for qrels in ({"q1": {"a": judgment, "b": 1}}, f"q1 0 a {judgment}\nq1 0 b 1\n"):
            laws.refuses(partial(score, RUN, qrels, protocol=protocol), said)

    def test_judgments_at_its_ends(self, protocol):
        qrels = {"q1": {"a": 127, "b": -127, "c": 126}, "q2": {"d": 0}}
        options = {"protocol": protocol, "measures": "all_trec"}
        highest = score(RUN, qrels, relevance_level=127, **options)
        assert (highest["map"], highest["num_rel"], highest["num_nonrel_judged_ret"]) == (0.5, 1, 1)
        assert score(RUN, qrels, relevance_level=126, **options)["num_rel"] == 2

    def test_a_level_above_all_judgments_of_a_topic(self, protocol):
        """It counted the documents below the level, of which it holds no more than there are."""
        low = score(RUN, QRELS, relevance_level=2, measures="all_trec", protocol=protocol)
        high = score(RUN, QRELS, relevance_level=127, measures="all_trec", protocol=protocol)
        assert (low["bpref"], low["num_rel"]) == (0, 1)
        assert (high["bpref"], high["num_rel"], high["ndcg"]) == (0, 0, low["ndcg"])

    @pytest.mark.parametrize("name", ["a\0b", "\ud800", "a\udfffb"])
    def test_ids_that_c_cannot_hold(self, protocol, name):
        said = "expected ids of a topic and a document without NUL and lone surrogates"
        document, topic = {"q1": {name: 1, "a": 2}}, {name: {"a": 1}, "q1": {"a": 1}}
        columns = {"query": ["q1"], "docid": [name], "score": [1.0], "rel": [1]}
        for odd in (document, topic, columns):
            with pytest.raises(clineval.InputError, match=said) as caught:
                score(odd, QRELS, protocol=protocol)
            assert str(caught.value).isascii()
            assert "\0" not in str(caught.value)
            laws.refuses(partial(score, RUN, odd, protocol=protocol), said)

    def test_text_that_c_cannot_hold(self, protocol):
        said = "<string>: expected ids of a topic and a document without NUL and lone surrogates"
        laws.refuses(lambda: score("q1 Q0 \ud800 1 1.0 t\n", QRELS, protocol=protocol), said)
        laws.refuses(lambda: score(RUN, "q1 0 \ud800 1\n", protocol=protocol), said)

    def test_ids_with_nul_in_a_file(self, protocol, tmp_path):
        (tmp_path / "run").write_bytes(b"q1 Q0 a 1 2.0 t\nq1 Q0 a\0b 2 1.0 t\n")
        said = f"{tmp_path.name}/run:2: expected ids"
        laws.refuses(lambda: score(tmp_path / "run", QRELS, protocol=protocol), said)

    @pytest.mark.parametrize("topic", ["no query", "no_query", "", " ", "é\U0001f600"])
    def test_any_other_id_is_one(self, protocol, topic):
        """Two of them are names that trec_eval starts from, and took the topic for done."""
        for _ in range(2):
            result = score({topic: {"": 1.0, " ": 0.5}}, {topic: {" ": 1}}, protocol=protocol)
            assert (result["map"], result["num_ret"]) == (0.5, 2)

    def test_a_topic_that_found_nothing_has_no_first_precision(self, protocol):
        """0 / 0 made iprec_at_recall_0.00 and 11pt_avg NaN."""
        run = {"q1": RUN["q1"]}
        result = score(run, QRELS, measures="iprec_at_recall 11pt_avg", protocol=protocol)
        laws.scores_are_flat_numbers(result)
        assert result["iprec_at_recall_0.00"] == 0.5


CELLS = st.sampled_from(
    ["q1", "q2", "#", "#q", "Q0", "a", "b", "x", "1", "-1", "1.5", "nan", "inf", "1e3", "1e999",
     "1_0", "128", "-127", "\u0661", "a\u00a0b", "a\x1fb", "a\0b", "9" * 5000]
)  # fmt: skip
FIRST = {6: "q3 Q0 a 1 1.0 t", 4: "q3 0 a 1"}
"""Which tells runs from judgments."""


def lines_of(width):
    usual = [st.sampled_from(["q1", "q2"]), st.just("Q0"), st.sampled_from("ab"), *[CELLS] * 3]
    words = st.one_of(st.tuples(*usual[:width]), st.lists(CELLS, max_size=7))
    lines = st.lists(words.map(" ".join), min_size=1, max_size=4)
    return lines.map(lambda found: "\n".join([FIRST[width], *found]))


class TestValidate:
    """No problem of a file is passed over that scoring under spec refuses."""

    @given(lines_of(6))
    def test_of_runs(self, tmp_path_factory, text):
        problems = self.problems(tmp_path_factory, text)
        try:
            clineval.count(NAME, text + "\n", "q1 0 z 1\n")
        except clineval.InputError as error:
            self.check(error, problems)

    @given(lines_of(4))
    def test_of_judgments(self, tmp_path_factory, text):
        problems = self.problems(tmp_path_factory, text)
        try:
            clineval.count(NAME, {"q1": {"z": 1.0}, "q2": {"z": 1.0}}, text + "\n")
        except clineval.InputError as error:
            self.check(error, problems)

    def problems(self, tmp_path_factory, text):
        file = tmp_path_factory.mktemp("validated") / "file"
        file.write_text(text + "\n")
        return list(find_problems(CHALLENGE, [file]))

    def check(self, error, problems):
        """The first of them is one of those listed, in the same line."""
        line = re.match(r"<string>:(\d+)", str(error))
        assert (int(line[1]) if line else 0) in {problem.line for problem in problems}


def test_a_document_is_judged_once(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 a 1\nq1 0 b 1\nq1 0 a 0\n")
    assert [problem.line for problem in find_problems(CHALLENGE, [tmp_path / "qrels"])] == [3]


@pytest.mark.parametrize(
    ("word", "number"),
    [("1E2", 100), ("0X1A", 26), ("INF", math.inf), ("\u0661", 0), ("1\u0661", 1), ("-1e2x", -100)],
)
def test_a_number_is_read_as_c_reads_it(word, number):
    assert atof(word) == number


def test_equal_scores_are_in_order(tmp_path):
    (tmp_path / "team.run1.txt").write_text("q1 Q0 a 1 2.0 t\nq1 Q0 b 2 2.0 t\n")
    assert list(find_problems(CHALLENGE, [tmp_path / "team.run1.txt"])) == []


@pytest.mark.filterwarnings("ignore:no restricted run is named")
def test_a_team_has_seven_runs(tmp_path):
    for number in range(1, 9):
        (tmp_path / f"team.run{number}.txt").write_text("q1 Q0 a 1 2.0 t\n")
    runs = sorted(tmp_path.iterdir())
    assert list(find_problems(CHALLENGE, runs[:7])) == []
    said = [problem.message for problem in find_problems(CHALLENGE, runs)]
    assert "expected at most 7 runs, got 8" in said
