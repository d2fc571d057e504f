"""BioCreative V CDR by the definition: cases, plain scorers of both protocols, laws, bad input."""

import json

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain import bc5cdr_script as script
from pubtator_corpora import as_dicts, corpora, mentions, only_counts, scorers, write
from thorough import thorough

import clineval
from clineval.base.errors import InputWarning
from clineval.challenges.bc5cdr import CHALLENGE
from clineval.challenges.bc5cdr import definition as plain
from clineval.evaluation.evaluate import evaluate
from clineval.formats.checking import find_problems

NAME = "bc5cdr"
CASES = DATA / "oracle" / NAME / "cases"
CONCEPTS = ["D1", "d1", "MESH:D1", "OMIM:1", "D2", "-1", "D1|D2", "MESH:-1"]
score, score_by_place, count = scorers(NAME)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@st.composite
def lines(draw, *, gold):
    """A line of a document: a mention or a relation."""
    if draw(st.integers(0, 2)):
        return draw(mentions(plain.TYPES, CONCEPTS))
    known = [c for c in CONCEPTS if not gold or "-1" not in c]
    ends = draw(st.lists(st.sampled_from(known), min_size=2, max_size=2))
    return f"CID\t{ends[0]}\t{ends[1]}"


CORPORA = corpora(lines(gold=True), lines(gold=False))


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(CORPORA)
def test_counts_are_those_of_the_plain_scorer(protocol, corpus):
    references, predictions = map(write, corpus)
    found = clineval.count(NAME, predictions, references, protocol=protocol)
    if protocol == "spec":
        assert found.totals == only_counts(plain.score_documents(*map(as_dicts, corpus)))
    else:
        assert found.totals == script.score(predictions, references)


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(CORPORA)
def test_outcomes_are_what_is_counted(protocol, corpus):
    references, predictions = map(write, corpus)
    evaluation = evaluate(NAME, predictions, references, protocol=protocol)
    for match in evaluation.outcomes.matches.values():
        for column in match.columns:
            assert len(match.rows(column)) == evaluation.counts.totals[column]


@thorough
@given(CORPORA, st.integers(0, 99))
def test_laws_of_the_engine(corpus, seed):
    laws.hold_for_the_engine(score_by_place, count, corpus, seed)


@given(CORPORA, st.integers(0, 99))
def test_laws(corpus, seed):
    references, predictions = corpus
    laws.order_of_units_does_not_matter(score, predictions, references, seed)
    laws.scores_are_flat_numbers(score(predictions, references))


@given(CORPORA)
def test_sides_swap(corpus):
    references, _ = corpus
    predictions = [document[::2] for document in references]
    laws.swapping_sides_swaps_precision_and_recall(
        score, predictions, references, ["mentions", "concepts", "relations", "disease_concepts"]
    )


def test_a_perfect_system():
    gold = [["0\t6\tAsthma\tDisease\tD1", "8\t12\tDrug\tChemical\tD2", "CID\tD2\tD1"]]
    keys = ["mentions_f1", "disease_concepts_f1", "relations_f1", "macro_concepts_f1"]
    laws.perfect_predictions_score_one(score, gold, keys)


SPEC = {
    "m04_repeats": ("disease_mentions", None),
    "m05_gold_doc_without_items": ("disease_mentions", "fp"),
    "m06_doc_not_in_gold": ("disease_mentions", "fp"),
    "i04_only_minus_one_in_gold_doc": ("disease_concepts", "fp"),
    "r07_gold_doc_without_relation": ("relations", "fp"),
    "i06_case": ("disease_concepts", "tp"),
    "i11_prefix_case": ("disease_concepts", "tp"),
    "x04_omim_infon": ("disease_concepts", "fn"),
    "x06_other_namespace": ("disease_concepts", "fp"),
    "x14_sentence_annotation": ("disease_mentions", "tp"),
    "x11_document_annotation": ("disease_mentions", "tp"),
    "x12_passage_relation": ("relations", "tp"),
}
"""Where the protocols differ: the score, and what there is more of under ``spec``."""


@pytest.mark.parametrize("name", SPEC)
def test_a_case_by_the_definition(name):
    ending = "BioC.xml" if name.startswith("x") else "PubTator"
    gold, found = (CASES / name / f"{side}.{ending}" for side in ("gold", "pred"))
    key, more = SPEC[name]
    spec, official = (
        clineval.score(NAME, found, gold, protocol=protocol).as_dict()
        for protocol in ("spec", "official")
    )
    counts = [[scores[f"{key}_{v}"] for v in ("tp", "fp", "fn")] for scores in (spec, official)]
    if more is None:
        assert counts[0] == counts[1]
    else:
        assert spec[f"{key}_{more}"] > official[f"{key}_{more}"]


def test_both_formats_give_the_same_sets():
    for corpus in sorted((DATA / "oracle" / NAME / "random").iterdir()):
        if "nasty" in corpus.name:
            continue
        scores = [
            clineval.score(NAME, corpus / f"pred.{form}", corpus / f"gold.{form}").as_dict()
            for form in ("PubTator", "BioC.xml")
        ]
        assert scores[0] == scores[1]


def test_documents_as_dicts_and_json_lines(tmp_path):
    gold = {
        "id": "1",
        "mentions": [
            {"spans": [[0, 6]], "label": "Disease", "concepts": ["D1"]},
            {"spans": [[8, 12], [14, 16]], "label": "Chemical", "concepts": None},
        ],
        "relations": [{"label": "CID", "from": "mesh:d2", "to": "D1"}],
    }
    found = {**gold, "mentions": [gold["mentions"][0]], "relations": []}
    scores = clineval.score(NAME, [found], [gold]).as_dict()
    assert (scores["mentions_tp"], scores["mentions_fn"]) == (1, 1)
    assert scores["disease_concepts_f1"] == 1
    assert (scores["relations_tp"], scores["relations_fn"]) == (0, 1)
    for side, document in (("gold", gold), ("found", found)):
        (tmp_path / f"{side}.jsonl").write_text(json.dumps(document))
    paths = [tmp_path / f"{side}.jsonl" for side in ("found", "gold")]
    assert clineval.score(NAME, *paths).as_dict() == scores


@pytest.mark.parametrize(("line", "parts"), [
    ("1\t0\t6\tSecret\tGene\tD1", [":2", "unknown type", "Disease"]),
    ("1\t0\t6\tSecret", [":2", "6 columns"]),
    ("1\t6\t0\tSecret\tDisease\tD1", [":2", "the end is not after the start"]),
    ("1\t-1\t6\tSecret\tDisease\tD1", [":2", "offsets"]),
    ("1\t0\tx\tSecret\tDisease\tD1", [":2", "offsets"]),
    ("1\tCID\tD1", [":2", "4 columns"]),
    ("1\tGENE\tSecret\tD1", [":2", "expected PMID"]),
    ("Secret", [":2", "expected PMID"]),
])  # fmt: skip
def test_bad_lines_are_refused_and_listed(tmp_path, line, parts):
    file = tmp_path / "a.PubTator"
    file.write_text(f"1|t|Title\n{line}\n")
    message = laws.refuses(lambda: clineval.score(NAME, file, file), *parts, text=["Secret"])
    [problem] = find_problems(CHALLENGE, [file])
    assert problem.message in message
    assert problem.line == 2


def test_a_relation_without_a_concept_is_refused_in_gold_and_spurious_in_predictions():
    with_one, without = ("1|t|x\n1\tCID\tD1\tD2\n", "1|t|x\n1\tCID\tD1\t-1\n")
    laws.refuses(lambda: clineval.score(NAME, with_one, without), "lacks one of its concepts")
    assert clineval.score(NAME, without, with_one)["relations_fp"] == 1


def test_bad_xml_is_refused(tmp_path):
    file = tmp_path / "a.xml"
    file.write_text("<collection>\n<document><id>Secret</collection>")
    laws.refuses(lambda: clineval.score(NAME, file, file), "a.xml:2", text=["Secret"])
    entity = '<!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/hostname">]><c>&x;</c>'
    file.write_text(entity)
    laws.refuses(lambda: clineval.score(NAME, file, file), "a.xml:1")


def test_an_unknown_document_is_warned_about():
    with pytest.warns(InputWarning, match="2"):
        scores = clineval.score(NAME, "1|t|x\n2\t0\t4\tx\tDisease\tD1\n", "1|t|x\n\t")
    assert scores["mentions_fp"] == scores["concepts_fp"] == 1


@pytest.mark.parametrize("concepts", [5, [5], ["D1", None]])
def test_concepts_are_strings(concepts):
    mention = {"spans": [[0, 3]], "label": "Disease", "concepts": concepts}
    document = [{"mentions": [mention]}]
    laws.refuses(lambda: clineval.score(NAME, document, document), "concepts: expected a list")


@pytest.mark.parametrize("end", ["from", "to", "label"])
def test_a_relation_is_of_strings(end):
    relation = {"label": "CID", "from": "D1", "to": "D2", end: 3}
    given = [{"mentions": [], "relations": [relation]}]
    laws.refuses(
        lambda: clineval.score("bc5cdr", given, given),
        "expected strings as 'label', 'from' and 'to'",
    )


OTHER_XML = {
    "<html><body>x</body></html>": "expected BioC, a collection of documents",
    "<n><TEXT>x</TEXT><TAGS/></n>": "This is i2b2's XML",
    '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"/>': "This is UIMA's XMI, which clineval does not",
}


@pytest.mark.parametrize("content", OTHER_XML)
def test_xml_that_is_no_bioc_is_refused(tmp_path, content):
    path = tmp_path / "a.xml"
    path.write_text(content)
    for config in ("default", "relations"):
        laws.refuses(
            lambda c=config: clineval.score(NAME, path, path, config=c), OTHER_XML[content]
        )
    laws.refuses(lambda: clineval.read(path, NAME, format="pubtator"), "expected BioC")
    [problem] = find_problems(CHALLENGE, [path])
    assert "expected BioC" in problem.message
    path.write_text("<collection><document><id>1</id></document></collection>")
    assert clineval.score(NAME, path, path)["n_documents"] == 1
    assert not list(find_problems(CHALLENGE, [path]))
