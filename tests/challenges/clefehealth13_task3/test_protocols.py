"""Every rule on which the two protocols differ, on the smallest input that shows it."""

import json
import warnings

import laws
import pytest

import clineval
from clineval.base.errors import InputError
from clineval.challenges.clefehealth13_task3 import CHALLENGE
from clineval.workbench import build_workbench

NAME = "clefehealth13_task3"
QRELS = "q1 0 a 1\nq1 0 b 0\nq2 0 a 1\n"
RUN = "q1 Q0 a 1 2.0 t\nq1 Q0 b 2 1.0 t\nq2 Q0 a 1 1.0 t\n"
EXCEPTION = "# EXCEPTION in query q2: IndriRunQuery.cpp(410): QueryThread::_runQuery Exception\n"
DEEP = "".join(f"q1 Q0 d{k:04} {k} {-k} t\n" for k in range(1, 1001)) + "q1 Q0 a 1001 -1001 t\n"
TWICE = "q1 Q0 b 1 2.0 t\nq1 Q0 a 2 1.0 t\n" + DEEP.replace("a 1001", "b 1001")

DIFFERENCES = {
    "exception": (RUN + EXCEPTION, QRELS, "map", ("refused", 1.0)),
    "words": (RUN.replace("2.0", "x"), QRELS, "map", ("refused", 0.75)),
    "infinite": (RUN.replace("1.0", "inf"), QRELS, "map", ("refused", 0.75)),
    "deep": (DEEP, QRELS, "num_rel_ret", (1, 0)),
    "twice": (TWICE, QRELS, "num_ret", ("refused", 1000)),
    "apart": (RUN, "q3 0 a 1\n", "num_q", (1, "refused")),
    "grades": (RUN, QRELS.replace("a 1", "a 1.9"), "map", ("refused", 1.0)),
    "hash_topic": (RUN, QRELS + "# 0 a 1\n", "num_q", ("refused", 3)),
    "empty_line": (RUN, QRELS + "\n", "map", (1.0, "refused")),
}


def both(run, qrels, key):
    """A score under both protocols; a refusal shows as the word "refused"."""
    values = []
    for protocol in ("spec", "official"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", clineval.InputWarning)
            try:
                values.append(
                    clineval.score(NAME, run, qrels, protocol=protocol, measures=[key])[key]
                )
            except InputError:
                values.append("refused")
    return tuple(values)


@pytest.mark.parametrize("name", DIFFERENCES)
def test_the_protocols_differ(name):
    *sides, expected = DIFFERENCES[name]
    assert both(*sides) == expected
    assert expected[0] != expected[1]


def test_every_declared_difference_has_such_an_example():
    assert [difference.example for difference in CHALLENGE.differences] == list(DIFFERENCES)


def test_a_line_of_fewer_than_six_words_is_refused_under_both():
    for protocol in ("spec", "official"):
        with pytest.raises(InputError, match="<string>:4: expected 6"):
            clineval.score(NAME, RUN + "# EXCEPTION in query q2:\n", QRELS, protocol=protocol)


def test_a_document_that_stands_twice_among_the_best_is_refused_under_both():
    assert both(RUN + "q1 Q0 a 3 0.5 t\n", QRELS, "map") == ("refused", "refused")


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_topics_that_the_run_lacks_count_0_by_default_under_both(protocol):
    """And nobody has to warn of results alone, in judged topics."""
    run = RUN[: RUN.index("q2")]
    with pytest.warns(clineval.InputWarning, match="1 judged topic is missing from the run"):
        assert clineval.score(NAME, run, QRELS, protocol=protocol)["map"] == 0.5
    assert clineval.score(NAME, RUN, QRELS, protocol=protocol)["map"] == 1.0


def test_spec_says_where_and_what_to_do(tmp_path):
    (tmp_path / "run").write_text(RUN + EXCEPTION)
    said = f"{tmp_path.name}/run:4: expected 6 columns", "begins with #", "protocol='official'"
    laws.refuses(lambda: clineval.score(NAME, tmp_path / "run", QRELS), *said, text=["Indri"])


def test_official_counts_what_it_leaves_out_and_what_it_converts():
    run = DEEP.replace("1 -1 t", "1 x t") + EXCEPTION + EXCEPTION + "q9 Q0 a 1 1.0 t\n"
    with pytest.warns(clineval.InputWarning) as caught:
        clineval.score(NAME, run, QRELS + "q2 0 b 0.5\n", protocol="official")
    assert [str(warning.message).split(", the first")[0] for warning in caught] == [
        "references: rel: expected a whole number from -127 to 127, got other values in 1 row",
        "predictions: score: expected a finite number, got other values in 3 rows",
        "only the best 1000 documents count in topics with more documents: q1",
        "2 topics of the run are not judged and do not count: #, q9",
        "1 judged topic is missing from the run and counts 0: q2",
    ]
    for warning, place in zip(caught[:2], ("<string>:4", "<string>:1"), strict=True):
        assert f", the first at {place}. As in trec_eval 9" in str(warning.message)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_the_order_of_nan_does_not_depend_on_the_order_of_lines():
    """Each NaN ties with all, and trec_eval sorts the documents by their ids first."""
    lines = [f"q1 Q0 d{k} {k} {'nan' if k % 3 else k} t\n" for k in range(9)]
    options = {"protocol": "official", "measures": ["recip_rank"]}
    for k in range(9):
        first = clineval.score(NAME, "".join(lines), f"q1 0 d{k} 1\n", **options)
        again = clineval.score(NAME, "".join(lines[::-1]), f"q1 0 d{k} 1\n", **options)
        assert first["recip_rank"] == again["recip_rank"] > 0


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_the_page_shows_what_official_reads():
    run = RUN.replace("2.0", "inf").replace("1.0", "nan") + EXCEPTION
    (modes,) = build_workbench(NAME, QRELS, {"A": run}, protocol="official").tables["systems"]
    assert modes["ranks"]["name"] == ["b", "a", "a"]
    assert modes["ranks"]["score"] == [None, None, None]
    page = build_workbench(NAME, QRELS, {"A": DEEP}, protocol="official").tables["systems"][0]
    assert len(page["ranks"]["name"]) == 1002
    assert page["ranks"]["rank"][-2:] == [0, 0]
    json.dumps(page, allow_nan=False)
