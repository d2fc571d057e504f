"""Counts, signatures, places, digests, messages."""

import contextlib
import functools
import json
import operator
import subprocess
import sys
from importlib.metadata import version

import laws
import numpy as np
import pytest
import typer
from conftest import ROOT
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

import clineval
from clineval import InputError
from clineval.base.arrays import Coded, rank_rows
from clineval.base.progress import metered_by, track
from clineval.cli import make_app
from clineval.kinds.mentions.pairing import pair_in_order
from clineval.results.registry import NAMES
from clineval.results.scorable import Counts

NAME = "semeval15_task14"
MENTION = {"spans": [[0, 4]], "cui": "C1"}


def test_an_unknown_format_of_counts_is_refused():
    for text in ("", "[]", "{}", '{"format": "clineval counts 0"}'):
        laws.refuses(lambda text=text: Counts.from_json(text), "clineval counts 1")


@pytest.mark.parametrize("settings", [{}, {"protocol": "both"}])
def test_counts_of_an_unknown_protocol_are_refused(settings):
    stored = json.loads(clineval.count(NAME, [[MENTION]], [[MENTION]]).to_json())
    text = json.dumps({**stored, "settings": settings})
    laws.refuses(lambda: Counts.from_json(text), "unknown protocol", "spec, official")


def test_counts_are_saved_and_loaded(tmp_path):
    counts = clineval.count(NAME, [[MENTION]], [[MENTION]])
    counts.save(tmp_path / "counts.json")
    assert Counts.load(tmp_path / "counts.json").score().as_dict() == counts.score().as_dict()
    assert json.loads((tmp_path / "counts.json").read_text())["settings"]["protocol"] == "spec"


@pytest.mark.parametrize(
    ("change", "named"),
    [({"protocol": "official"}, "protocol"), ({"config": "task1"}, "config"),
     ({"overlap": "word", "texts": ["word"]}, "overlap")],
)  # fmt: skip
def test_counts_of_different_kinds_do_not_add_up(change, named):
    one = clineval.count(NAME, [[MENTION]], [[MENTION]])
    two = clineval.count(NAME, [[MENTION]], [[MENTION]], **change)
    laws.refuses(lambda: one + two, named)


def test_many_counts_are_added_as_one_by_one_and_keep_their_names():
    gold = [[{"spans": [[at, at + 1]], "cui": "C1"}] for at in range(5)]
    parts = [
        clineval.count("semeval15_task14", gold[:1], [of]).named(f"d{at}")
        for at, of in enumerate(gold)
    ]
    whole = clineval.Counts.sum(iter(parts))
    assert whole == functools.reduce(operator.add, parts)
    assert whole.documents == ("d0", "d1", "d2", "d3", "d4")
    assert [row["document"] for row in whole.score().per_document] == list(whole.documents)
    assert clineval.Counts.sum(parts[:1]) == parts[0]
    with pytest.raises(InputError, match="no counts to add"):
        clineval.Counts.sum([])
    with pytest.raises(InputError, match="2 names for 1 document"):
        parts[0].named("a", "b")


def test_a_score_without_strings_is_for_loggers():
    gold = [[{"spans": [[4, 15]], "cui": "C1"}]] * 2
    score = clineval.score("semeval15_task14", gold, gold, confidence=0.9, n_resamples=5)
    numbers = score.as_dict(numbers_only=True, per_document=True)
    assert all(type(value) in (int, float) for value in numbers.values())
    assert {**numbers, "signature": str(score.signature)} == score.as_dict()


def test_a_score_is_looked_up_as_a_mapping():
    score = clineval.score(NAME, [[MENTION]], [[MENTION]], confidence=0.9)
    assert dict(score) == {**score} == dict(score.items()) == score.values
    assert list(score) == list(score.keys()) == list(score.values)
    assert len(score) == len(score.values)
    assert "strict_f1" in score
    assert "strict_f2" not in score
    assert (score.get("strict_f1"), score.get("strict_f2"), score.get("f", 3)) == (1.0, None, 3)
    with pytest.raises(KeyError, match="strict_f2"):
        score["strict_f2"]


@pytest.mark.parametrize("name", ["per_document", "numbers_only"])
@pytest.mark.parametrize("call", [clineval.score, clineval.count, clineval.evaluate])
def test_what_compute_takes_is_told_where_to_find(call, name):
    said = laws.refuses(lambda: call(NAME, [[MENTION]], [[MENTION]], **{name: True}), name)
    assert f"as_dict({name}=True)" in str(said)


def test_some_documents_can_be_taken():
    documents = [[MENTION], [], [MENTION, {"spans": [[7, 9]], "cui": None}]]
    counts = clineval.count(NAME, documents, documents)
    parts = counts.take([2, 0])
    assert parts.documents == ("2", "0")
    assert parts.totals["strict_tp"] == 3


@given(corpora())
def test_documents_rows_add_up_to_the_corpus(corpus):
    references, predictions = corpus
    score = clineval.score(NAME, predictions, references)
    rows = score.per_document
    assert len(rows) == score["n_documents"]
    for key in ("strict_tp", "relaxed_fp", "span_fn"):
        assert sum(row[key] for row in rows) == score[key]
    for row, references_, predictions_ in zip(rows, references, predictions, strict=True):
        alone = clineval.score(NAME, [predictions_], [references_])
        assert {k: v for k, v in row.items() if k != "document"} == pytest.approx(
            {k: v for k, v in alone.values.items() if k != "n_documents"}
        )


def test_counts_are_compared_by_value():
    one, two = (clineval.count(NAME, [[MENTION]], [[MENTION]]) for _ in range(2))
    assert one == two
    assert one != clineval.count(NAME, [[]], [[MENTION]])
    assert one != "counts"
    assert repr(one) == "Counts('semeval15_task14', 'default', 1 document)"


def test_a_score_shows_itself_as_a_table():
    score = clineval.score(NAME, [[MENTION]], [[MENTION]])
    assert "strict    1.0000" in repr(score)
    html = score._repr_html_()
    assert "<th>strict</th><td>1.0000</td>" in html
    assert str(score.signature) in html


class TestSignature:
    def test_it_can_be_read_back(self):
        signature = clineval.score(NAME, [[MENTION]], [[MENTION]]).signature
        assert clineval.Signature.parse(str(signature)) == signature

    def test_no_signature_is_refused(self):
        for text in ("", "a", "a|b|c"):
            laws.refuses(lambda text=text: clineval.Signature.parse(text), "protocol:spec")

    @pytest.mark.parametrize(
        "change",
        [{"spans": [[0, 5]]}, {"spans": [[0, 2], [3, 4]]}, {"cui": "C2"}, {"severity": "severe"},
         {"body_location": ["C1", "C2"]}],
    )  # fmt: skip
    def test_references_that_differ_have_different_digests(self, change):
        left, right = (
            clineval.score(NAME, [[]], [[{**MENTION, **changes}]]).counts.references
            for changes in ({}, change)
        )
        assert left != right

    def test_predictions_and_names_do_not_enter_the_digest(self):
        named = clineval.Document("x", [clineval.Mention([(0, 4)], "C1")])
        other = clineval.score(NAME, [named], [named]).counts.references
        assert clineval.score(NAME, [[]], [[MENTION]]).counts.references == other

    def test_moving_a_mention_to_another_document_changes_the_digest(self):
        together, apart = (
            [[MENTION, {**MENTION, "cui": "C2"}], []],
            [[MENTION], [{**MENTION, "cui": "C2"}]],
        )
        digests = [clineval.count(NAME, [[], []], side).references for side in (together, apart)]
        assert digests[0] != digests[1]


class TestColumns:
    @given(st.lists(st.tuples(*[st.integers(0, 3)] * 3)))
    def test_rows_are_ranked_in_their_order(self, rows):
        ranks = rank_rows([np.array([row[k] for row in rows], np.int64) for k in range(3)])
        order = sorted(set(rows))
        assert ranks.tolist() == [order.index(row) for row in rows]

    def test_values_are_renumbered(self):
        folded = Coded.of(["B", "a", "b"]).fold(str.lower, ("a", "b"))
        assert folded.ids.tolist() == [1, 0, 1]


@given(st.lists(st.tuples(st.integers(0, 6), st.integers(0, 6)), max_size=40))
def test_rounds_accept_what_one_candidate_after_the_other_would(candidates):
    golds, predictions, expected = set(), set(), []
    for number, (gold, prediction) in enumerate(candidates):
        if gold not in golds and prediction not in predictions:
            golds.add(gold), predictions.add(prediction), expected.append(number)
    columns = np.array(candidates, np.int64).reshape(-1, 2).T
    assert pair_in_order(*columns).tolist() == expected


def test_progress_is_shown_to_whoever_asks():
    seen = []

    @contextlib.contextmanager
    def meter(total, label, **_):
        seen.append((label, total))
        yield seen.append

    with metered_by(meter):
        assert list(track("abc", "reading")) == ["a", "b", "c"]
    assert seen == [("reading", 3), 1, 1, 1]
    assert list(track("abc", "reading")) == ["a", "b", "c"]


def test_importing_the_package_imports_nothing_heavy():
    heavy = ("datasets", "evaluate", "spacy", "pyarrow", "rich", "typer", "numpy")
    code = f"import clineval, sys; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"
    code = f"import clineval, sys; clineval.score; print([m for m in {heavy} if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "['numpy']"


def test_the_help_of_the_command_line_waits_for_no_numpy():
    code = "import clineval.cli, sys; print([m for m in ('numpy', 'datasets') if m in sys.modules])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize("protocol", [[], ["--protocol", "official"]])
def test_a_command_imports_its_challenge_alone_and_not_what_judges_words(protocol):
    demo = ROOT / "metrics" / "clineval" / "challenges" / NAME / "demo"
    words = ["clineval", "score", NAME, str(demo / "gold"), str(demo / "tagger"), *protocol]
    slow = {"pydantic", "importlib.metadata", "pyarrow"}
    if [*map(int, version("rich").split("."))] >= [14, 3, 4]:  # older ones always do
        slow.add("rich._emoji_codes")
    code = f"""
import sys
sys.argv = {words}
from clineval.cli import main
try:
    main()
except SystemExit as end:
    assert not end.code
slow = {slow} & sys.modules.keys()
others = [
    name for name, module in sys.modules.items()
    if name.startswith("clineval.challenges.") and {NAME!r} not in name
    and hasattr(module, "CHALLENGE")
]
print(slow, others, [m for m in sys.modules if m.startswith("clineval.cli.compare")], sep="|")
"""
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.splitlines()[-1] == "set()|[]|[]"


@pytest.mark.parametrize(
    ("words", "found"),
    [(["score", NAME, "a", "b"], NAME), (["score", "--format", "json", NAME, "a"], NAME),
     (["score", "a", NAME, "--protocol", "official"], None), (["convert", "a", NAME], None),
     (["--version"], None), ([], None)],
)  # fmt: skip
def test_the_first_argument_is_the_challenge_whose_options_there_are(words, found):
    commands = typer.main.get_command(make_app(words)).commands.values()
    panels = {getattr(p, "rich_help_panel", None) or "" for c in commands for p in c.params}
    own = [panel for panel in panels if panel.startswith("Options of")]
    assert own == ([f"Options of {found}"] if found else [])


def test_the_public_names_are_there():
    assert set(clineval.__all__) <= set(dir(clineval))
    for name in clineval.__all__:
        assert getattr(clineval, name).__name__ == name
    with pytest.raises(AttributeError, match="bogus"):
        _ = clineval.bogus


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", NAMES)
def test_counts_without_one_of_their_columns_are_refused_if_a_score_needs_it(name):
    sides, options = arguments_of(name)
    stored = json.loads(clineval.count(name, *sides, **options).to_json())
    for column, _ in enumerate(stored["columns"]):
        columns = [*stored["columns"][:column], "", *stored["columns"][column + 1 :]]
        text = json.dumps({**stored, "columns": columns})
        with contextlib.suppress(InputError):  # not every column has to be there
            Counts.from_json(text).score()
    few = {**stored, "columns": stored["columns"][1:]}
    laws.refuses(lambda: Counts.from_json(json.dumps(few)))
