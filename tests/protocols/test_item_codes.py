"""Scores of concepts and of relations between concepts by a hierarchy: by hand, and plain loops."""

import json
import re

import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st
from protocols.test_hierarchies import CODES, counts_of

import clineval
from clineval import Counts, InputError, InputWarning
from clineval.definitions import hierarchy
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import find_frequent
from clineval.evaluation.evaluate import evaluate
from clineval.results.registry import find_challenge

TREE = {
    "D10": "D1", "D11": "D1", "C10": "C1", "C11": "C1", "D1": None, "C1": None,
}  # fmt: skip
TWO_PARENTS = {"D10": ["D1", "D2"], "D1": None, "D2": None, "C10": ["C1"], "C1": None}
ADDED = re.compile(r"(\w+_)?(h|cophe|level\d+)_(precision|recall|f1|tp|fp|fn)\Z")


def document(concepts=(), relations=()):
    """A document with chemicals and diseases, C and D, and relations between them."""
    kinds = {"C": "Chemical", "D": "Disease"}
    mentions = [
        {"spans": [[at, at + 3]], "label": kinds.get(concept[0], "Disease"), "concepts": [concept]}
        for at, concept in concepts
    ]
    return {
        "mentions": mentions,
        "relations": [{"label": "CID", "from": a, "to": b} for a, b in relations],
    }


GOLD = [document([(0, "C10"), (5, "D10")], [("C10", "D10")])]
FOUND = [document([(0, "C1"), (5, "D11")], [("C1", "D10"), ("C11", "D1")])]


def score(found, gold, hierarchy, module="bc5cdr", **options):
    return clineval.score(module, found, gold, hierarchy=hierarchy, **options)


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_a_tree_by_hand(protocol):
    """Relations: C10 or C1 with D10 or D1; found are (C1, D10), (C1, D1), (C11, D1)."""
    result = score(FOUND, GOLD, TREE, protocol=protocol)
    assert counts_of(result, "relations") == [0, 2, 1]
    assert counts_of(result, "relations_h") == [2, 1, 2]
    assert counts_of(result, "relations_cophe") == [2, 2, 2]  # (C1, D1) twice
    assert counts_of(result, "relations_level0") == [1, 0, 0]
    assert counts_of(result, "relations_level1") == [0, 2, 1]
    assert result["relations_h_precision"] == pytest.approx(2 / 3)
    assert result["relations_h_recall"] == pytest.approx(2 / 4)
    assert counts_of(result, "concepts_h") == [2, 1, 2]  # C1, D1; spurious D11; missed C10, D10
    for config, kind in (("relations", "relations"), ("concepts", "concepts")):
        alone = score(FOUND, GOLD, TREE, protocol=protocol, config=config)
        for name in ("h", "cophe", "level0", "level1"):
            assert counts_of(alone, name) == counts_of(result, f"{kind}_{name}")


def test_two_parents_by_hand():
    gold, found = [document([], [("C10", "D10")])], [document([], [("C10", "D2")])]
    result = score(found, gold, TWO_PARENTS, config="relations")
    # C10 and C1, each with D10, D1 and D2, against each with D2
    assert counts_of(result, "h") == [2, 0, 4]
    assert counts_of(result, "level0") == [1, 0, 1]  # (C1, D2) and (C1, D1) against (C1, D2)


@st.composite
def corpora(draw):
    """Parents of concepts, and documents of both sides with mentions and relations."""
    parents = {
        code: [CODES[above] for above in draw(st.sets(st.integers(0, at - 1), max_size=2))]
        if at
        else []
        for at, code in enumerate(CODES)
    }
    concept = st.sampled_from(CODES)
    mentions = st.lists(st.tuples(st.sampled_from([0, 4]), concept), max_size=4)
    relations = st.lists(st.tuples(concept, concept), max_size=4)
    documents = st.lists(st.tuples(mentions, relations), min_size=2, max_size=4)
    golds, founds = draw(documents), draw(documents)
    size = min(len(golds), len(founds))
    golds[0][0].append((0, CODES[0]))
    golds[0][1].append((CODES[0], CODES[1]))
    return parents, golds[:size], founds[:size]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(corpora())
def test_random_hierarchies_as_plain_loops_score_them(corpus):
    parents, golds, founds = corpus
    tree = hierarchy.Tree(parents)
    sides = [[document(*of) for of in documents] for documents in (founds, golds)]
    result = score(*sides, parents).as_dict()
    without = clineval.score("bc5cdr", *sides).as_dict()
    expected = {}
    for at, kind in enumerate(("concepts", "relations")):
        items = [
            [[each if at else each[1] for each in of[at]] for of in documents]
            for documents in (golds, founds)
        ]
        distinct = [[sorted(set(of)) for of in documents] for documents in items]
        scored = hierarchy.score([tree, hierarchy.Pairs(tree)][at], *distinct)
        expected |= {f"{kind}_{key}": value for key, value in scored.items()}
        alone = score(*sides, parents, config=kind).as_dict()
        assert {k: alone[k] for k in scored} == pytest.approx(scored)
    assert {k: v for k, v in result.items() if ADDED.match(k)} == pytest.approx(expected)
    assert {k: v for k, v in result.items() if k not in {*expected, "signature"}} == {
        k: v for k, v in without.items() if k != "signature"
    }
    flat = score(*sides, dict.fromkeys([*CODES, "other"]))
    for kind in ("concepts", "relations"):
        assert counts_of(flat, f"{kind}_h") == counts_of(flat, kind)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(corpora())
def test_concepts_of_mentions_are_compared_at_their_spans(corpus):
    parents, golds, founds = corpus
    tree = hierarchy.Tree(parents)
    sides = [
        [
            {"mentions": [
                {"spans": [[at, at + 3]], "label": "SpecificDisease", "concepts": [concept]}
                for at, concept in mentions
            ]}
            for mentions, _ in documents
        ]
        for documents in (founds, golds)
    ]  # fmt: skip
    result = score(*sides, parents, "ncbi_disease")
    places = [(n, at) for n in range(len(golds)) for at in (0, 4)]
    linked = [
        [sorted({code for start, code in documents[n][0] if start == at}) for n, at in places]
        for documents in (golds, founds)
    ]
    expected = hierarchy.score(tree, *linked)
    assert {k: result[f"linked_{k}"] for k in expected} == pytest.approx(expected)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(corpora())
def test_parts_add_up_and_errors_are_relations_of_concepts(corpus):
    parents, golds, founds = corpus
    sides = [[document(*of) for of in documents] for documents in (founds, golds)]
    options = {"hierarchy": parents, "config": "relations"}
    whole = clineval.count("bc5cdr", *sides, **options)
    parts = [
        clineval.count("bc5cdr", [f], [g], **options).named(str(n))
        for n, (f, g) in enumerate(zip(*sides, strict=True))
    ]
    assert Counts.sum(parts).score().values == whole.score().values
    assert Counts.from_json(whole.to_json()) == whole
    tree = hierarchy.Tree(parents)
    pairs = hierarchy.Pairs(tree)
    outcomes = evaluate("bc5cdr", *sides, **options).outcomes
    match = outcomes.matches["near_misses"]
    for name, rows in match.reasons.items():
        for row in rows.nonzero()[0].tolist():
            texts = outcomes.value("concept", match, row)
            if not texts[0]:
                continue
            gold, found = (
                tuple(code.removeprefix("MESH:").lower() for code in text.split("\t"))
                for text in texts
            )
            assert name == relate(tree, pairs, gold, found)


def relate(tree, pairs, gold, found):
    if found in pairs.extend(gold):
        return "too general"
    if gold in pairs.extend(found):
        return "too specific"
    return "sibling" if all(map(are_siblings, [tree] * 2, gold, found)) else "unrelated"


def are_siblings(tree, first, second):
    above = [set(tree.parents.get(each, [])) - tree.root for each in (first, second)]
    return first == second or bool(above[0] & above[1])


def test_errors_list_concepts():
    outcomes = evaluate("bc5cdr", FOUND, GOLD, hierarchy=TREE).outcomes
    listed = {(m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)}
    assert listed == {
        ("too general", "MESH:C10", "MESH:C1"),
        ("too general", "MESH:C10\tMESH:D10", "MESH:C1\tMESH:D10"),
        ("sibling", "MESH:D10", "MESH:D11"),
        ("unrelated", None, "MESH:C11\tMESH:D1"),
    }


def test_people_see_the_codes_of_a_pair_without_a_tab(run, tmp_path):
    files = [tmp_path / f"{name}.jsonl" for name in ("gold", "found")]
    for path, documents in zip(files, (GOLD, FOUND), strict=True):
        path.write_text("".join(json.dumps({"id": "a", **each}) + "\n" for each in documents))
    tree = tmp_path / "tree.csv"
    tree.write_text("code,parent\n" + "".join(f"{c},{up or ''}\n" for c, up in TREE.items()))
    asked = ("errors", "bc5cdr", *files, "--hierarchy", tree)
    shown = run(*asked).stdout
    assert "MESH:C10 – MESH:D10" in shown
    assert "\t" not in shown
    listed = json.loads(run(*asked, "--format", "json").stdout)
    assert "MESH:C10\tMESH:D10" in {each["gold"] for each in listed["errors"]}


def test_unknown_concepts_and_configurations():
    with pytest.raises(InputError, match=r"^hierarchy: the configuration mentions"):
        score(FOUND, GOLD, TREE, config="mentions")
    unknown = {"D10": "D1", "C10": None}
    with pytest.raises(InputError, match="the code 'MESH:D7' is not in the hierarchy"):
        score(GOLD, [document([], [("C10", "D7")])], unknown, config="relations")
    warning = "^2 predicted codes are not in the hierarchy, and count as wrong, without ancestors"
    found = [document([], [("C8", "D7")])]
    with pytest.warns(InputWarning, match=warning):
        result = score(found, GOLD, TREE, config="relations")
    assert counts_of(result, "h") == [0, 1, 4]


def test_predictions_that_a_program_ignores_have_no_ancestors():
    gold, found = [GOLD[0], document()], [FOUND[0], FOUND[0]]
    whole = score(found, gold, TREE)
    official = score(found, gold, TREE, protocol="official")
    assert counts_of(whole, "relations_h") == [2, 1 + 3, 2]
    assert counts_of(official, "relations_h") == [2, 1, 2]


@pytest.mark.parametrize("module", ["bc5cdr", "ncbi_disease", "medmentions"])
def test_demos_in_every_face(module, run, tmp_path):
    sides, options = arguments_of(module, 0)
    outcomes = evaluate(module, *sides, **options).outcomes
    values = outcomes.gold.attributes["concept"].values
    codes = sorted({code for value in values for code in value.split("\t") if code})
    tree = tmp_path / "tree.csv"
    tree.write_text("code,parent\n" + "".join(f"{c},top{n % 2}\n" for n, c in enumerate(codes)))
    found = evaluate(module, *sides, hierarchy=tree, **options)
    whole = found.score(confidence=0.9)
    assert "concepts_h_f1_low" in whole.as_dict()
    for by in ("document", "type"):
        groups = break_down(found.outcomes, by)
        sums = [groups.scores[f"concepts_h_{v}"].sum() for v in ("tp", "fp", "fn")]
        assert sums == counts_of(whole, "concepts_h")
    folder = find_challenge(module).task.corpora
    files = [folder / f"{name}.PubTator" for name in ("gold", "dictionary", "tagger")]
    expected = {
        ("errors",): r"Most frequent errors \(",
        ("score",): r"Levels of the hierarchy of concepts",
        ("score", "--by", "document"): r"concepts_h_f1",
        ("compare", files[2]): r"concepts_h_f1",
        ("report", "-o", tmp_path / "page.html"): "",
    }
    for (command, *more), shown in expected.items():
        output = run(command, module, *files[:2], *more, "--hierarchy", tree).stdout
        assert re.search(shown, output), command
    assert '"concepts_h_f1":' in (tmp_path / "page.html").read_text()


def gut(codes, relations=()):
    """A document with mentions of drugs, at places with codes, and relations between mentions."""
    mentions = [
        {"id": str(n), "spans": [[at, at + 3]], "label": "drug", "code": code}
        for n, (at, code) in enumerate(codes)
    ]
    relations = [{"label": "interact", "from": str(a), "to": str(b)} for a, b in relations]
    return {"id": "1", "text": "abc " * 9, "mentions": mentions, "relations": relations}


def test_tuples_by_hand():
    gold = [gut([(0, "C10"), (4, "D10"), (8, None)], [(0, 1), (0, 2)])]
    found = [gut([(0, "C1"), (4, "D10"), (8, None)], [(0, 1), (0, 2)])]
    result = score(found, gold, TREE, "gutbrainie26")
    # at 0: C1, missed C10; at 4: D10, D1; at 8: no code
    assert counts_of(result, "nerd_h") == [4, 0, 1]
    # (C10, D10): C1 with D10 and D1 are shared; (C10, none): C1 with none is shared
    assert counts_of(result, "concept_relations_h") == [3, 0, 3]
    assert counts_of(result, "concept_relations_micro") == [0, 2, 2]
    for config in ("nerd", "concept_relations"):
        alone = score(found, gold, TREE, "gutbrainie26", config=config)
        assert counts_of(alone, "h") == counts_of(result, f"{config}_h")
    without = clineval.score("gutbrainie26", found, gold).as_dict()
    both = {key: value for key, value in result.as_dict().items() if key in without}
    assert {**both, "signature": ""} == {**without, "signature": ""}
    outcomes = evaluate("gutbrainie26", found, gold, hierarchy=TREE).outcomes
    listed = {(m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)}
    assert listed == {
        ("too general", "C10", "C1"),
        ("too general", "C10\tD10", "C1\tD10"),
        ("too general", "C10\tNA", "C1\tNA"),
    }


def test_tuples_without_codes_and_of_the_program_have_no_hierarchy():
    gold = [gut([(0, "C10")])]
    for options, problem in (
        ({"config": "ner"}, r"^hierarchy: the configuration ner has no codes"),
        ({"protocol": "official"}, r"^hierarchy: the released program compares strings"),
    ):
        with pytest.raises(InputError, match=problem):
            score(gold, gold, TREE, "gutbrainie26", **options)
    with pytest.raises(InputError, match="the code 'C10' is not in the hierarchy"):
        score(gold, gold, {"D1": None}, "gutbrainie26", config="nerd")


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(corpora())
def test_random_tuples_as_plain_loops_score_them(corpus):
    parents, golds, founds = corpus
    tree = hierarchy.Tree(parents)
    sides, tuples = [], []
    for documents in (founds, golds):
        codes = [[(4 * at, code) for at, (_, code) in enumerate(of[0])] for of in documents]
        ends = [[(a, b) for a in range(len(of)) for b in range(a)] for of in codes]
        sides.append(
            [gut(*of) | {"id": str(n)} for n, of in enumerate(zip(codes, ends, strict=True))]
        )
        tuples.append(
            [
                sorted({(of[a][1], of[b][1]) for a, b in pairs})
                for of, pairs in zip(codes, ends, strict=True)
            ]
        )
    result = score(*sides, parents, "gutbrainie26", config="concept_relations").as_dict()
    expected = hierarchy.score(hierarchy.Pairs(tree), *reversed(tuples))
    assert {k: result[k] for k in expected} == pytest.approx(expected)
