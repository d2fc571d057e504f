"""i2b2 2014 risk factors against a plain scorer on random tags, the laws, and forms of input."""

import json

import laws
import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval.challenges.i2b2_2014_risk import definition as plain
from clineval.challenges.i2b2_2014_risk.tags import TIMES, VALUES
from clineval.definitions.rates import mean_rates, rate
from clineval.evaluation.analysis.mistakes import find_frequent
from clineval.evaluation.evaluate import evaluate
from clineval.results.registry import find_challenge

NAME = "i2b2_2014_risk"
CORPORA = find_challenge(NAME).task.corpora
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
SPELLINGS = st.sampled_from([str, str.upper, str.lower, " {} ".format])
FEW = ("ARB", "statin", "diuretic")


def spelled(values):
    return st.builds(lambda spell, value: spell(value), SPELLINGS, st.sampled_from(values))


TYPES = st.lists(spelled(FEW), min_size=1, max_size=2).map(" + ".join)
OTHERS = st.sampled_from([*VALUES][1:]).flatmap(
    lambda tag: st.builds(
        lambda time, indicator: {"tag": tag, "time": time, "indicator": indicator},
        spelled((*TIMES[:2], "")),
        spelled((*VALUES[tag], "high-ldl", "often")),
    )
)
MEDICATIONS = st.builds(
    lambda time, types: {"tag": "MEDICATION", "time": time, "indicator": types},
    spelled(TIMES[:2]),
    TYPES,
)
DOCUMENTS = st.lists(MEDICATIONS | OTHERS, max_size=7)
SIDES = st.integers(1, 4).flatmap(
    lambda size: st.tuples(*[st.lists(DOCUMENTS, min_size=size, max_size=size)] * 2)
)


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def count(predictions, references):
    return clineval.count(NAME, predictions, references)


def counts_of(scores, prefix):
    return tuple(scores[f"{prefix}_{key}"] for key in laws.COUNTS)


@given(st.dictionaries(st.sampled_from("abc"), DOCUMENTS), st.data())
def test_a_plain_scorer_gives_the_same(references, data):
    predictions = data.draw(st.dictionaries(st.sampled_from("abcd"), DOCUMENTS))
    names = {**references, **predictions}
    rows = [plain.count(references.get(n, []), predictions.get(n, [])) for n in names]
    result = score(predictions, references)
    totals = {}
    for row in rows:
        for prefix, counts in row.items():
            so_far = totals.get(prefix, (0, 0, 0))
            totals[prefix] = tuple(a + b for a, b in zip(so_far, counts, strict=True))
    for prefix, counts in totals.items():
        if f"{prefix}_tp" not in result:
            assert "often" in prefix or "high_ldl" in prefix, "a value of another tag"
            continue
        assert counts_of(result, prefix) == counts
        found = [result[f"{prefix}_{key}"] for key in ("precision", "recall", "f1")]
        assert found == pytest.approx(rate(*counts))
    tags = [totals.get(tag.lower(), (0, 0, 0)) for tag in VALUES]
    means = plain.mean_of_records([row["micro"] for row in rows]), mean_rates(tags)
    for prefix, expected in zip(("record", "macro"), means, strict=True):
        found = [result[f"{prefix}_{key}"] for key in ("precision", "recall", "f1")]
        assert found == pytest.approx(list(expected))


@given(SIDES, st.integers(0, 99))
def test_laws(corpus, seed):
    references, predictions = corpus
    laws.order_of_documents_does_not_matter(score, predictions, references, seed, near=1e-12)
    laws.order_of_units_does_not_matter(score, predictions, references, seed)
    laws.counts_survive_json(count, predictions, references)
    families = ["micro", "any_time", "tag", "cad", "smoker_past"]
    laws.swapping_sides_swaps_precision_and_recall(score, predictions, references, families)
    laws.strict_is_at_most_relaxed(score, predictions, references, "micro", "any_time")
    laws.strict_is_at_most_relaxed(score, predictions, references, "any_time", "tag")
    if count(references, references).totals["micro_tp"]:
        keys = ["micro_f1", "record_f1", "macro_f1", "any_time_f1", "tag_f1"]
        laws.perfect_predictions_score_one(score, references, keys)


@given(SIDES)
def test_parts_add_up(corpus):
    references, predictions = corpus
    whole = count(predictions, references)
    for cut in range(1, len(references)):
        first = count(predictions[:cut], references[:cut])
        rest = count(predictions[cut:], references[cut:])
        assert (first + rest).totals == pytest.approx(whole.totals)


@given(SIDES)
def test_tags_and_indicators_add_up(corpus):
    result = score(*corpus)
    for verdict in laws.COUNTS:
        tags = [result[f"{tag.lower()}_{verdict}"] for tag in VALUES]
        assert sum(tags) == result[f"micro_{verdict}"]
        smokers = [result[f"smoker_{status}_{verdict}"] for status in VALUES["SMOKER"]]
        assert sum(smokers) <= result[f"smoker_{verdict}"]


@given(SIDES)
def test_repeats_count_once(corpus):
    references, predictions = corpus
    twice = [document + document[::-1] for document in predictions]
    assert laws.comparable(score(twice, references)) == laws.comparable(
        score(predictions, references)
    )


def test_a_published_table_of_one_system():
    """PMC4989091, table 6: expected, predicted and correct; the table cuts after three digits."""
    mention = {"tag": "CAD", "time": "before DCT", "indicator": "mention"}
    absent = {"tag": "FAMILY_HIST", "indicator": "not present"}
    rows = [(mention, (516, 621, 501), (0.806, 0.970, 0.881)),
            (absent, (495, 489, 481), (0.983, 0.971, 0.977))]  # fmt: skip
    for tag, (expected, predicted, correct), cut in rows:
        gold = [[tag]] * expected + [[]] * (predicted - correct)
        found = [[tag]] * correct + [[]] * (expected - correct) + [[tag]] * (predicted - correct)
        result = score(found, gold)
        key = "cad_mention" if tag is mention else "family_hist_not_present"
        values = [result[f"{key}_{of}"] for of in ("precision", "recall", "f1")]
        assert [int(value * 1000) / 1000 for value in values] == list(cut)


NOTE = "<root><TEXT>Quit in 2070.</TEXT><TAGS>{}</TAGS></root>"
TAGS = (
    '<SMOKER id="D0" status="past"/>'
    '<MEDICATION id="D1" time="after DCT" type1="statin" type2="ARB"/>'
)
RECORDS = [
    {"tag": "SMOKER", "indicator": "past"},
    {"tag": "MEDICATION", "time": "after DCT", "indicator": ["ARB", "statin"]},
]


def test_forms_of_input(tmp_path):
    note = NOTE.format(TAGS)
    (tmp_path / "xml").mkdir()
    (tmp_path / "xml" / "100-01.xml").write_text(note)
    lines = tmp_path / "a.jsonl"
    lines.write_text(json.dumps({"id": "100-01", "tags": RECORDS}) + "\n")
    named = (
        lines, lines.read_text(), {"100-01": RECORDS}, [{"id": "100-01", "records": RECORDS}],
        tmp_path / "xml", {"100-01": note},
    )  # fmt: skip
    for form in named:
        for other in named:
            assert score(form, other)["micro_tp"] == 2
    for form in ([note], [RECORDS], [json.dumps(RECORDS)], note, tmp_path / "xml" / "100-01.xml"):
        assert score(form, [RECORDS])["micro_f1"] == 1


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_a_time_of_smoker_is_ignored(protocol):
    timed = [{**RECORDS[0], "time": "before DCT"}, RECORDS[1]]
    with pytest.warns(clineval.InputWarning, match="fields that their tag does not have"):
        result = score([timed], [RECORDS], protocol=protocol)
    assert result["micro_f1"] == 1


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "e", "tags": [{"tag": "CHD"}]}', "a.jsonl:2, record 1: tag: expected one of MED"),
        ('{"id": "e", "tags": [{"time": "x"}]}', "record 1: tag: expected one of MEDICATION"),
        ('{"id": "e", "tags": [7]}', "a.jsonl:2, record 1: expected an object with fields, got 7"),
        ('{"id": "e", "tags": [{"tag": "CAD", "indicator": [7]}]}', "indicator: expected a word"),
        ('{"id": "e", "events": []}', "a.jsonl:2: expected an object with 'tags' or 'records'"),
        ('{"id": "d", "tags": []}', "a.jsonl:2: the document has the same 'id' as"),
    ],
)
def test_a_bad_line_of_the_gold_standard_is_named(tmp_path, line, said):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "d", "tags": []}\n' + line + "\n")
    laws.refuses(lambda: clineval.score(NAME, {"d": []}, path), said)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (NOTE.format("<Cad/>"), "100-01.xml:1: expected the element CAD, got 'Cad'"),
        (NOTE.format("<CAD>"), "100-01.xml:1: not well-formed XML"),
        ("<root><TEXT/></root>", "100-01.xml:1: expected an element that contains TAGS"),
        ('<!DOCTYPE r [<!ENTITY e "x">]>' + NOTE.format("&e;"), "document types"),
    ],
)
def test_bad_xml_is_refused_with_its_place(tmp_path, content, said):
    (tmp_path / "100-01.xml").write_text(content)
    laws.refuses(lambda: clineval.score(NAME, {"100-01": []}, tmp_path), said)
    shown = invoke(["validate", NAME, tmp_path])
    assert shown.exit_code == 2
    assert "100-01.xml:1" in shown.stdout


def test_all_bad_tags_of_a_file_are_listed(tmp_path):
    tags = '<cad/>\n<SMOKER status="past"/>\n<Obese/>'
    (tmp_path / "100-01.xml").write_text(NOTE.format(tags))
    shown = invoke(["validate", NAME, tmp_path / "100-01.xml"]).stdout
    assert "100-01.xml:1: expected the element CAD" in shown
    assert "100-01.xml:3: expected the element OBESE" in shown


def test_what_a_system_says_is_scored_and_warned_of():
    found = [[7, {"tag": "CHD"}, {"tag": "smoker", "indicator": "past"}, 7]]
    with pytest.warns(clineval.InputWarning, match="1 document has invalid predicted records"):
        result = score(found, [RECORDS])
    assert counts_of(result, "micro") == (1, 3, 1)
    assert counts_of(result, "smoker") == (1, 0, 0)


def test_documents_are_converted_to_xml_and_back(tmp_path):
    lines, folder = tmp_path / "gold.jsonl", tmp_path / "xml"
    assert (
        "6 documents, 97 records"
        in invoke(["convert", CORPORA / "gold", lines, "--module", NAME]).stdout
    )
    assert invoke(["convert", lines, folder, "--module", NAME]).exit_code == 0
    for form in (lines, folder):
        result = clineval.score(NAME, form, CORPORA / "gold")
        assert (result["micro_f1"], result.dataset) == (1, "i2b2_2014_risk/demo")
    texts = [json.loads(line)["text"] for line in lines.read_text("utf-8").splitlines()]
    assert all(text.startswith("Record date") for text in texts)
    official = invoke(["official", "i2b2-2014-risk", "cr", folder, CORPORA / "gold"]).stdout
    assert official.count("1.0 (0.0)      1.0 ") == 2
    documents = clineval.read(folder, NAME)
    clineval.write(documents, tmp_path / "again", module=NAME)
    assert sorted(p.read_text() for p in (tmp_path / "again").iterdir()) == sorted(
        p.read_text() for p in folder.iterdir()
    )


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"tag": "CHD"}, "tag: expected one of"),
        ({"tag": "CAD", "indicator": "ARB + statin"}, "expected at most 1 values of CAD, got 2"),
        ({"tag": "CAD", "time": "\x00"}, "cannot be written as XML"),
    ],
)
def test_what_xml_cannot_hold_is_refused(tmp_path, record, said):
    documents = [{"id": "100-01", "tags": [record]}]
    laws.refuses(lambda: clineval.write(documents, tmp_path / "x", module=NAME), said)
    assert not (tmp_path / "x").exists()


def test_errors_and_groups_name_times_and_indicators():
    sides = CORPORA / "model", CORPORA / "gold"
    mistakes = find_frequent(evaluate(NAME, *sides).outcomes)
    assert ("CAD, during DCT, event", "CAD, after DCT, event") in [
        (mistake.gold, mistake.prediction) for mistake in mistakes
    ]
    files = [CORPORA / side for side in ("gold", "model")]
    done = invoke(["score", NAME, *files, "--by", "slot:indicator", "--format", "json"])
    groups = json.loads(done.stdout)["groups"]
    assert {"statin", "ezetimibe + statin", "mention", "past"} <= groups.keys()
    assert "record_f1" not in groups["statin"], "groups have no means over records"
