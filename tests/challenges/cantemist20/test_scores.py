"""CANTEMIST 2020 by its definition: plain scorers, laws, either code, and what is refused."""

from functools import partial
from pathlib import Path

import laws
import pytest
import span_tables
from hypothesis import assume, given
from hypothesis import strategies as st
from plain import cantemist20_script as script

import clineval
from clineval.challenges.cantemist20 import definition as plain
from clineval.definitions.ranked_codes import ranked
from clineval.evaluation.convert import read, write
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

NAME, LABEL = "cantemist20", "MORFOLOGIA_NEOPLASIA"
DEMO = find_challenge(NAME).task.corpora
MENTIONS = span_tables.mentions([LABEL], ["8000/6", "8140/3", "8140/3H", "8041/3"])
CODES = st.lists(st.sampled_from(["8000/6", "8140/3", "8140/3h", "8041/3", "8500/3"]), max_size=6)
RANKED = st.lists(st.tuples(CODES, CODES), min_size=1, max_size=5)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
score = partial(clineval.score, NAME)


def lists_of(documents):
    """Predictions and references of ranked codes."""
    return [[doc[at] for doc in documents] for at in (1, 0)]


class TestThePlainScorer:
    @pytest.mark.parametrize("config", ["ner", "norm"])
    @given(MENTIONS)
    def test_mentions(self, config, documents):
        if config == "ner":
            documents = [[[m[:3] for m in side] for side in doc] for doc in documents]
        span_tables.agree_with_plain(NAME, documents, config=config)

    @given(MENTIONS)
    def test_mentions_of_specific_codes(self, documents):
        result = score(*span_tables.sides_of(documents), config="norm")
        kept = [[[m for m in side if m[3] != "8000/6"] for side in doc] for doc in documents]
        of = score(*span_tables.sides_of(kept), config="norm")
        for verdict in span_tables.COUNTS:
            assert result[f"specific_{verdict}"] == of[f"linked_{verdict}"]

    @pytest.mark.parametrize(("config", "match"), [("ner", "strict"), ("norm", "linked")])
    @given(MENTIONS)
    def test_the_library_counts_pairs_and_places(self, config, match, documents):
        sides = span_tables.sides_of(documents, coded=config == "norm")
        result = score(*sides, config=config, protocol="official")
        for row, doc in zip(result.per_document, documents, strict=True):
            right, *places = script.joined(*doc, coded=config == "norm")
            assert row[f"{match}_tp"] == right
            assert [right + row[f"{match}_{v}"] for v in ("fp", "fn")] == places

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @pytest.mark.parametrize("valid", [None, ["8140/3", "8140/3H", "8041/3", "8500/3"]])
    @given(RANKED)
    def test_ranked_codes(self, protocol, valid, documents):
        known = None if valid is None else {code.lower() for code in valid}
        assume(protocol == "official" or known is None or all(known >= {*g} for g, _ in documents))
        asked = {"config": "coding", "protocol": protocol, "codes": valid}
        spec = protocol == "spec"  # an unknown code keeps its rank
        expected = ranked(documents) if spec else script.ranked(documents, known)
        assert score(*lists_of(documents), **asked)["map"] == pytest.approx(expected, abs=1e-12)

    @given(RANKED)
    def test_codes_with_and_without_that_of_unspecific_metastases(self, documents):
        for config, without in (("coding", ()), ("codingf1", ("8000/6",))):
            result = score(*lists_of(documents), config=config)
            counts = tuple(result[f"micro_{verdict}"] for verdict in span_tables.COUNTS)
            assert counts == plain.micro(documents, without)

    @given(MENTIONS, st.integers(0, 9))
    def test_laws(self, documents, seed):
        matches = ["strict", "linked", "specific"]
        span_tables.obey_the_laws(NAME, documents, seed, config="norm", matches=matches)


def note_of(*mentions):
    """Lines of brat's for mentions: start, end, code."""
    lines = []
    for at, (start, end, code) in enumerate(mentions, 1):
        lines.append(f"T{at}\t{LABEL} {start} {end}\tx")
        lines += [f"#{at}\tAnnotatorNotes T{at}\t{code}"] if code else []
    return "".join(f"{line}\n" for line in lines)


def folders(root, name, gold, found):
    """A folder of a document for each side."""
    for side, text in (("gold", gold), ("found", found)):
        (root / side).mkdir()
        (root / side / f"{name}.ann").write_text(text)
    return root / "found", root / "gold"


@pytest.mark.parametrize(
    ("found", "right", "wrong", "missed"),
    [(["8441/0"], 1, 0, 0), (["8140/3"], 1, 0, 0), (["8441/0", "8140/3"], 1, 0, 0),
     (["8041/3"], 0, 1, 1), (["8140/3", "8041/3"], 1, 1, 0)],
)  # fmt: skip
def test_either_code_is_right_at_two_places(tmp_path, found, right, wrong, missed):
    place = (2509, 2534)
    gold = note_of((*place, "8441/0"), (*place, "8140/3"))
    sides = folders(tmp_path, "cc_onco838", gold, note_of(*((*place, code) for code in found)))
    result = score(*sides, config="norm")
    assert [result[f"linked_{v}"] for v in span_tables.COUNTS] == [right, wrong, missed]


def test_two_codes_elsewhere_are_two_mentions(tmp_path):
    gold = note_of((1, 5, "8441/0"), (1, 5, "8140/3"))
    sides = folders(tmp_path, "cc_onco838", gold, note_of((1, 5, "8140/3")))
    assert score(*sides, config="norm")["linked_fn"] == 1


def test_a_gold_mention_without_a_code_is_refused_and_a_predicted_one_wrong(tmp_path):
    both, one = note_of((1, 5, "8140/3"), (7, 9, "")), note_of((1, 5, "8140/3"), (7, 9, "8041/3"))
    found, gold = folders(tmp_path, "d", one, both)
    assert score(found, gold, config="norm")["linked_fp"] == 1
    call = partial(score, gold, found, config="norm")
    laws.refuses(call, "references, d: a gold mention without a code")
    assert score(gold, found, config="ner")["strict_f1"] == 1


def test_codes_that_are_not_in_the_list():
    given = {"config": "coding", "codes": ["8140/3"]}
    sides = [["9999/9", "8140/3"]], [["8140/3"]]
    assert score(*sides, **given)["map"] == 0.5
    assert score(*sides, **given, protocol="official")["map"] == 1
    said = "references, document 0, code 0: 1 code is not in the list of valid codes"
    laws.refuses(partial(score, *sides[::-1], **given), said)


def test_validate_and_score_say_where_codes_that_are_not_in_the_list_stand(tmp_path):
    path, both = tmp_path / "gold.tsv", note_of((1, 5, "8140/3"), (7, 9, "9999/9"))
    path.write_text("document\tcode\na\t8140/3\nb\t9999/9\nc\t1111/1\n")
    _, notes = folders(tmp_path, "d", both, both)
    find = partial(find_problems, find_challenge(NAME), codes=["8140/3"])
    problems = [(Path(of.file).name, of.line, of.message) for of in find([path, notes])]
    said = "1 code is not in the list of valid codes"
    assert problems == [("gold.tsv", 3, said), ("gold.tsv", 4, said), ("d.ann", 4, said)]
    call = partial(score, path, path, config="coding", codes=["8140/3"])
    laws.refuses(call, f"gold.tsv:3: {said}")
    laws.refuses(partial(score, notes, notes, config="norm", codes=["8140/3"]), f"d.ann:4: {said}")


@pytest.mark.parametrize("header", ["file\tcode\n", "document\tCode\n", ""])
def test_headers_of_codes(tmp_path, header):
    path = tmp_path / "gold.tsv"
    path.write_text(f"{header}a\t8140/3\nb\t8041/3\n")
    assert len(score(path, path, config="coding").per_document) == 2
    assert score(path, path, config="codingf1")["micro_tp"] == 2


def test_documents_become_a_submission_that_the_library_takes(tmp_path):
    write(read(DEMO / "tagger", NAME), tmp_path / "submission", "brat", NAME)
    for protocol in ("spec", "official"):
        asked = {"config": "norm", "protocol": protocol}
        for path in (tmp_path / "submission", DEMO / "tagger"):
            assert score(path, DEMO / "gold", **asked)["linked_tp"] == 7


@pytest.mark.parametrize(
    ("text", "said"),
    [("T1\tOTRO 1 5\tx\n", "unknown type, expected one of MORFOLOGIA_NEOPLASIA"),
     ("T1\tMORFOLOGIA_NEOPLASIA 5 1\tx\n", "the end is not after the start"),
     ("T1\tMORFOLOGIA_NEOPLASIA\tx\n", "expected T1<tab>Type")],
)  # fmt: skip
def test_what_is_refused_names_the_line(tmp_path, text, said):
    sides = folders(tmp_path, "d", note_of((1, 5, "8140/3")), text)
    laws.refuses(partial(score, *sides), f"d.ann:1: {said}")


@pytest.mark.parametrize(("rank", "found"), [(1000, 1 / 1000), (1001, 0.0)])
def test_the_script_looks_at_the_first_thousand_codes(rank, found):
    codes = [f"{8000 + at}/3" for at in range(rank - 1)]
    predicted, gold = [[*codes, "9999/3"]], [["9999/3"]]
    by_script = score(predicted, gold, config="coding", protocol="official")
    assert by_script["map"] == pytest.approx(found, abs=1e-12)
    assert score(predicted, gold, config="coding")["map"] == pytest.approx(1 / rank)
