"""ShARe/CLEF 2013 Task 3: trec_eval's outputs, forms of input, laws, bad input."""

import builtins
import math

import ir_measures
import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.retrieval.trec_measures import DEFAULT, FAMILIES, PLAIN, name_measures

NAME = "clefehealth13_task3"
ORACLE = DATA / "oracle" / NAME
NO_NUMBERS = ("runid", "relstring")
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


def printed(file):
    """Measure, topic and value of each line that trec_eval printed."""
    lines = [line.split() for line in file.read_text().splitlines()]
    return [(m, topic, float(value)) for m, topic, value in lines if m not in NO_NUMBERS]


def disagreements(run, qrels, file, **options):
    """What differs from trec_eval's output in the fourth decimal, and how much was compared."""
    result = clineval.score(NAME, run, qrels, measures="all_trec", **options)
    rows = {row["document"]: row for row in result.per_document} | {"all": result.values}
    lines = printed(file)
    wrong = [
        (measure, topic, value, rows[topic][measure])
        for measure, topic, value in lines
        if abs(rows[topic][measure] - value) > 5.1e-5
    ]
    return wrong, len(lines)


class TestTrecEval:
    @pytest.mark.parametrize("run", ["ties", "missing"])
    def test_every_number_it_prints_is_ours(self, run):
        wrong, lines = disagreements(
            ORACLE / f"{run}.run", ORACLE / "qrels.txt", ORACLE / f"{run}.l1.complete.txt"
        )
        assert wrong == []
        assert lines > 1000

    @pytest.mark.parametrize("run", ["ties", "missing"])
    def test_the_lowest_relevant_judgment_is_ours(self, run):
        """But for num_rel: with -c trec_eval adds up judgments from 1 on, whatever -l says."""
        wrong, lines = disagreements(
            ORACLE / f"{run}.run", ORACLE / "qrels.txt", ORACLE / f"{run}.l2.complete.txt",
            relevance_level=2,
        )  # fmt: skip
        assert [measure for measure, *_ in wrong] == ["num_rel"]
        assert lines > 80

    @pytest.mark.parametrize("qrels", ["bin", "graded"])
    @pytest.mark.parametrize("run", ["synA", "synTies"])
    def test_every_number_on_the_lab_s_own_judgments_is_ours(self, shared_oracle, run, qrels):
        folder = shared_oracle / NAME
        wrong, lines = disagreements(
            folder / f"{run}.run",
            folder / f"qrels.clef2013ehealth.1-50-test.{qrels}.final.txt",
            folder / f"{run}.trec_eval.{qrels}.txt",
        )
        assert wrong == []
        assert lines > 4000

    @pytest.mark.parametrize(
        ("ours", "theirs"),
        [
            ("map", "AP"), ("P_10", "P@10"), ("ndcg_cut_10", "nDCG@10"), ("Rprec", "Rprec"),
            ("bpref", "Bpref"), ("recip_rank", "RR"), ("success_5", "Success@5"),
        ],
    )  # fmt: skip
    def test_ir_measures_agrees(self, ours, theirs):
        measure = ir_measures.parse_measure(theirs)
        qrels = ir_measures.read_trec_qrels(str(ORACLE / "qrels.txt"))
        run = ir_measures.read_trec_run(str(ORACLE / "missing.run"))
        expected = ir_measures.calc_aggregate([measure], qrels, run)[measure]
        result = score(ORACLE / "missing.run", ORACLE / "qrels.txt", measures=[ours])
        assert result[ours] == pytest.approx(expected, abs=1e-12)


class TestRanking:
    def test_ties_are_broken_by_document_descending(self):
        qrels = {"q": {"a": 1}}
        assert score({"q": {"a": 1.0, "b": 1.0}}, qrels)["recip_rank"] == 0.5
        assert score({"q": {"a": 1.0, "0": 1.0}}, qrels)["recip_rank"] == 1

    @pytest.mark.parametrize("measure", ["recip_rank", "iprec_at_recall_1.00"])
    def test_scores_are_compared_as_32_bit_numbers(self, measure):
        """The binding's measures and those of trec_eval 10 rank alike."""
        qrels = {"q": {"a": 1, "b": 0}}
        assert score({"q": {"a": 0.5, "b": 0.5 - 1e-12}}, qrels, measures=[measure])[measure] == 0.5
        assert score({"q": {"a": 0.5, "b": 0.5 - 1e-6}}, qrels, measures=[measure])[measure] == 1

    def test_the_rank_column_is_ignored(self):
        qrels = "q 0 a 1\nq 0 b 0\n"
        lines = ["q Q0 a 9 2.0 t\n", "q Q0 b 1 1.0 t\n"]
        assert score("".join(lines), qrels)["recip_rank"] == 1

    def test_what_is_not_judged_is_not_relevant(self):
        result = score({"q": {"x": 2.0, "a": 1.0}}, {"q": {"a": 1}}, measures="map unj_2 num_ret")
        assert (result["map"], result["unj_2"], result["num_ret"]) == (0.5, 0.5, 2)


class TestTopics:
    def test_a_missing_topic_counts_nothing_or_not_at_all(self):
        run = {"q1": RUN["q1"]}
        complete, retrieved = (score(run, QRELS, complete=c) for c in (True, False))
        assert complete["num_q"], retrieved["num_q"] == (2, 1)
        assert complete["map"] == retrieved["map"] / 2
        assert (complete["num_rel"], retrieved["num_rel"]) == (3, 2)

    def test_missing_and_unjudged_topics_are_named(self):
        with pytest.warns(clineval.InputWarning) as caught:
            result = score({"q1": RUN["q1"], "q9": {"a": 1.0}}, QRELS)
        messages = [str(warning.message) for warning in caught]
        assert "not judged and do not count: q9" in messages[0]
        assert "missing from the run and count 0: q2" in messages[1]
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
        names = {measure for measure, *_ in printed(ORACLE / "ties.l1.complete.txt")}
        assert names == set(name_measures("all_trec"))

    @pytest.mark.parametrize(
        ("asked", "named"),
        [
            (["P_05"], ("P_5",)),
            ("iprec_at_recall.0,.25", ("iprec_at_recall_0.00", "iprec_at_recall_0.25")),
            ("map,11pt_avg,P.5,10,G", ("map", "11pt_avg", "P_5", "P_10", "G")),
            (["map", "map"], ("map",)),
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

    @given(TOPICS, TOPICS, st.sampled_from([*PLAIN, *FAMILIES]))
    def test_every_one_is_a_number_whatever_the_data(self, run, qrels, measure):
        result = score(run, qrels, measures=[measure])
        laws.scores_are_flat_numbers(result)
        assert set(result) == set(score(RUN, QRELS, measures=[measure]))

    def test_without_the_binding_the_message_says_what_to_install(self, monkeypatch):
        real = builtins.__import__

        def fail(name, *args, **kwargs):
            if name == "pytrec_eval":
                raise ImportError(name)
            return real(name, *args, **kwargs)

        monkeypatch.setattr(builtins, "__import__", fail)
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
        assert score("# comment\n\n" + lines[0].replace(" ", "\t"), lines[1]) == expected
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
            ("q Q0 a 1 1.0 t\n\nq Q0 b 2 x t\n", ("<string>:3", "score: expected a number")),
            ("q Q0 a 1 nan t\n", ("<string>:1", "score")),
            ("q Q0 a 1 1.0 t\nq Q0 a 2 0.5 t\n", ("<string>:2", "a stands twice in topic q")),
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

    def test_judgments_are_whole_numbers(self):
        laws.refuses(lambda: score(RUN, {"q1": {"a": 0.5}}), "judgments, topic q1, document a")
        laws.refuses(lambda: score(RUN, "q1 0 a 0.5\n"), "<string>:1", "a whole number")

    def test_a_directory_is_no_run(self, tmp_path):
        laws.refuses(lambda: score(tmp_path, QRELS), str(tmp_path), "expected a file")

    @pytest.mark.parametrize("level", [0, "2", 1.0, None])
    def test_the_relevance_level_is_a_whole_number(self, level):
        laws.refuses(lambda: score(RUN, QRELS, relevance_level=level), "relevance_level")
