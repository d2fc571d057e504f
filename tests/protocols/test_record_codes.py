"""Scores of records with codes by a hierarchy: by hand, and from plain loops."""

import json
import re

import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st
from protocols.test_hierarchies import ADDED, CODES, TREE, TWO_PARENTS, counts_of

import clineval
from clineval import Counts, InputError, InputWarning
from clineval.definitions import hierarchy
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import classify, count_mistakes, find_frequent, kinds_of
from clineval.evaluation.evaluate import evaluate

pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
CODE = {"type": "string", "x-compare": "code"}


def schema_of(**fields):
    properties = {"name": {"type": "string", "x-key": True}, **fields}
    return {"type": "array", "items": {"type": "object", "properties": properties}}


ONE = schema_of(icd=CODE)
SEVERAL = schema_of(
    icd=CODE, more={"type": "array", "items": CODE}, loinc={**CODE, "x-hierarchy": False}
)
GOLD = [[{"name": "a", "icd": "I21.0", "more": ["I10", "J45"]}, {"name": "b", "icd": "J45"}]]
FOUND = [[{"name": "a", "icd": "I21", "more": ["I50"]}, {"name": "c", "icd": "J45"}]]


def score(found, gold, hierarchy, schema=ONE, **options):
    return clineval.score(
        "clinical_records", found, gold, hierarchy=hierarchy, schema=schema, **options
    )


def test_a_tree_by_hand():
    """Records a are paired, b and c are not, so that their codes meet no other."""
    result = score(FOUND, GOLD, TREE, SEVERAL)
    # icd of a: I, I21; more of a: I; missed I21.0; I10, J45, J; J45, J; spurious I50; J45, J
    assert counts_of(result, "h") == counts_of(result, "cophe") == [3, 3, 6]
    assert result["h_precision"] == pytest.approx(3 / 6)
    assert result["h_recall"] == pytest.approx(3 / 9)
    assert counts_of(result, "level0") == [2, 1, 2]
    assert counts_of(result, "level1") == [1, 2, 3]
    assert counts_of(result, "level2") == [0, 3, 4]
    assert "|code_fields:icd+more|" in str(result.signature)


def test_two_parents_by_hand():
    gold = [[{"name": "a", "icd": "pneumonia"}, {"name": "b", "icd": "flu"}]]
    found = [[{"name": "b", "icd": "asthma"}, {"name": "a", "icd": "asthma"}]]
    result = score(found, gold, TWO_PARENTS)
    # a: pneumonia, lung, infection against asthma, lung; b: flu, infection against asthma, lung
    assert counts_of(result, "h") == [1, 3, 4]


@st.composite
def corpora(draw):
    """Parents of codes, and records of both sides with names that differ in a document."""
    parents = {
        code: [CODES[above] for above in draw(st.sets(st.integers(0, at - 1), max_size=2))]
        if at
        else []
        for at, code in enumerate(CODES)
    }
    several = st.lists(st.sampled_from(CODES), unique=True, max_size=3)
    fields = st.fixed_dictionaries({"icd": st.sampled_from([*CODES, None]), "more": several})
    documents = st.lists(st.dictionaries(st.sampled_from("abc"), fields), min_size=2, max_size=4)
    golds, founds = draw(documents), draw(documents)
    size = min(len(golds), len(founds))
    golds[0]["a"] = {"icd": CODES[0], "more": []}
    return parents, golds[:size], founds[:size]


def as_records(documents):
    return [[{"name": name, **fields} for name, fields in of.items()] for of in documents]


def place(documents, fields):
    """The codes of each place, a document, name and field."""
    return {
        (at, name, field): [held[field]] if isinstance(held[field], str) else held[field] or []
        for at, records in enumerate(documents)
        for name, held in records.items()
        for field in fields
    }


@given(corpora())
def test_random_hierarchies_as_plain_loops_score_them(corpus):
    parents, golds, founds = corpus
    tree, sides = hierarchy.Tree(parents), [as_records(of) for of in (founds, golds)]
    for schema, fields in ((ONE, ["icd"]), (SEVERAL, ["icd", "more"])):
        result = score(*sides, parents, schema).as_dict()
        placed = [place(of, fields) for of in (golds, founds)]
        places = [*dict.fromkeys([*placed[0], *placed[1]])]
        expected = hierarchy.score(tree, *([of.get(p, []) for p in places] for of in placed))
        assert {k: v for k, v in result.items() if ADDED.match(k)} == pytest.approx(expected)
        without = clineval.score("clinical_records", *sides, schema=schema).as_dict()
        assert {k: result[k] for k in without if k != "signature"} == {
            k: v for k, v in without.items() if k != "signature"
        }
        assert set(result) - set(without) == set(expected)
    flat = score(*sides, dict.fromkeys([*CODES, "other"]))
    assert counts_of(flat, "h") == counts_of(flat, "icd")


@given(corpora())
def test_parts_add_up_and_errors_are_relations_of_codes(corpus):
    parents, golds, founds = corpus
    sides = [as_records(of) for of in (founds, golds)]
    options = {"hierarchy": parents, "schema": ONE}
    whole = clineval.count("clinical_records", *sides, **options)
    parts = [
        clineval.count("clinical_records", [f], [g], **options).named(str(n))
        for n, (f, g) in enumerate(zip(*sides, strict=True))
    ]
    assert Counts.sum(parts).score().values == pytest.approx(whole.score().values)
    assert Counts.from_json(whole.to_json()) == whole
    outcomes, tree = (
        evaluate("clinical_records", *sides, **options).outcomes,
        hierarchy.Tree(parents),
    )
    match, kinds = outcomes.matches["near_misses"], kinds_of(outcomes)
    for row, kind in enumerate(classify(outcomes).tolist()):
        gold, code = (each and each.lower() for each in outcomes.value("icd", match, row))
        if not gold or not code or gold == code:
            assert kinds[kind] in ("right", "record", "spurious", "missed")
            continue
        above = [set(tree.parents.get(each, [])) - tree.root for each in (gold, code)]
        if code in tree.extend(gold):
            assert kinds[kind] == "too general"
        elif gold in tree.extend(code):
            assert kinds[kind] == "too specific"
        else:
            assert kinds[kind] == ("sibling" if above[0] & above[1] else "unrelated")


def test_errors_list_codes():
    outcomes = evaluate("clinical_records", FOUND, GOLD, hierarchy=TREE, schema=ONE).outcomes
    assert count_mistakes(outcomes)["too general"] == 1
    assert ("too general", "I210", "I21") in {
        (m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)
    }


def test_schemas_say_which_fields_hold_codes():
    gold = [[{"name": "a", "icd": "I10", "level1": "I10"}]]
    for schema, problem in (
        (schema_of(), "^hierarchy: no field holds codes. Pass a schema="),
        (None, "^hierarchy: no field holds codes. Pass a schema="),
        (schema_of(icd={**CODE, "x-hierarchy": False}), "^hierarchy: no field holds codes"),
        (schema_of(icd=CODE, level1=CODE), "^schema: scores by a hierarchy have the name of the"),
        (
            schema_of(icd=CODE, side={"type": "string", "x-hierarchy": True}),
            "^schema: #/items/properties/side/x-hierarchy: expected it at a field that compares as",
        ),
        (
            schema_of(icd={"type": "array", "items": {**CODE, "x-hierarchy": False}}),
            "^schema: #/items/properties/icd/items/x-hierarchy: expected it at",
        ),
        (schema_of(icd={**CODE, "x-hierarchy": "no"}), "^schema: .*expected true or false"),
    ):
        with pytest.raises(InputError, match=problem):
            score(gold, gold, TREE, schema)
    named = clineval.score("clinical_records", gold, gold, schema=schema_of(level1=CODE))
    assert named["level1_f1"] == named["fields_mean_f1"] == 1
    assert "Levels of the hierarchy" not in str(named)


def test_unknown_codes():
    gold = {"a": [{"name": "a", "icd": "I10"}]}
    with pytest.raises(InputError, match="document a: the code 'X1' is not in the hierarchy"):
        score(gold, {"a": [{"name": "a", "icd": "x.1"}]}, TREE)
    warning = "^2 predicted codes are not in the hierarchy, and count as wrong, without ancestors"
    with pytest.warns(InputWarning, match=warning):
        result = score({"a": [{"name": "a", "icd": "X1"}, {"name": "b", "icd": "Y"}]}, gold, TREE)
    assert counts_of(result, "h") == [0, 2, 2]


def test_groups_have_the_scores_and_the_demo_too(run, tmp_path):
    sides, options = arguments_of("clinical_records", 0)
    found = evaluate("clinical_records", *sides, hierarchy="atc", **options)
    whole = found.score(confidence=0.9)
    assert {"h_f1_low", "level4_f1"} <= whole.as_dict().keys()
    for by in ("document", "record"):
        groups = break_down(found.outcomes, by)
        sums = [groups.scores[f"h_{v}"].sum() for v in ("tp", "fp", "fn")]
        assert sums == counts_of(whole, "h")
    tree, schema, *files = (
        tmp_path / f"{n}"
        for n in ("tree.csv", "schema.json", "gold.jsonl", "found.jsonl", "again.jsonl")
    )
    tree.write_text("code,parent\n" + "".join(f"{c},{p or ''}\n" for c, p in TREE.items()))
    schema.write_text(json.dumps(ONE))
    for file, [records] in zip(files, (GOLD, FOUND, FOUND), strict=True):
        file.write_text(json.dumps({"id": "a", "records": records}) + "\n")
    asked = ["--hierarchy", tree, "--schema", schema]
    expected = {
        ("errors",): r"too general +I210 +I21",
        ("score",): r"level 2 ",
        ("score", "--by", "document"): r"h_f1",
        ("score", "--format", "json"): r'"level1_recall": ',
        ("compare", files[2]): r"h_f1",
        ("report", "-o", tmp_path / "page.html"): "",
    }
    for (command, *more), shown in expected.items():
        output = run(command, "clinical_records", *files[:2], *more, *asked).stdout
        assert re.search(shown, output), command
    assert '"h_f1":' in (tmp_path / "page.html").read_text()
