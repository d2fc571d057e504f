"""Scores by a hierarchy of codes: by hand, from recorded programs, and from plain loops."""

import json
import re
from pathlib import Path

import pytest
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import Counts, InputError, InputWarning
from clineval.definitions import hierarchy
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import classify, kinds_of
from clineval.evaluation.evaluate import evaluate
from clineval.results.registry import find_challenge

RECORDED = json.loads(Path("tests/data/oracle/hierarchy/recorded.json").read_text())
TREE = {
    "I10": "I", "I21": "I", "I21.0": "I21", "I21.4": "I21", "I50": "I", "J45": "J",
    "I": None, "J": None,
}  # fmt: skip
TWO_PARENTS = {
    "pneumonia": ["lung", "infection"], "flu": ["infection"], "asthma": ["lung"],
    "lung": None, "infection": None,
}  # fmt: skip
ADDED = re.compile(r"(h|cophe|level\d+)_(precision|recall|f1|tp|fp|fn)(_low|_high)?\Z")
WAYS = [
    ("clinical_codes", "default", "spec", "icd10"),
    ("icd_coding", "default", "spec", "icd9cm"),
    ("icd_coding", "default", "caml", "icd9cm"),
    ("icd_coding", "default", "edin", "icd9cm"),
    ("codiesp20", "D", "spec", "icd10cm"),
    ("codiesp20", "D", "official", "icd10cm"),
]


def scores(module, predictions, references, hierarchy, **options):
    return clineval.score(module, predictions, references, hierarchy=hierarchy, **options)


def counts_of(result, name):
    return [result[f"{name}_{verdict}"] for verdict in ("tp", "fp", "fn")]


def test_a_tree_by_hand():
    """Gold I21.0, J45, found I21.4, I50: A has I, I21, I21.0, J, J45 against I, I21, I21.4, I50."""
    result = scores("clinical_codes", {"a": ["I21.4", "I50"]}, {"a": ["I21.0", "J45"]}, TREE)
    assert counts_of(result, "micro") == [0, 2, 2]
    assert counts_of(result, "h") == [2, 2, 3]  # I, I21
    assert result["h_precision"] == pytest.approx(2 / 4)
    assert result["h_recall"] == pytest.approx(2 / 5)
    assert result["h_f1"] == pytest.approx(2 * 0.5 * 0.4 / 0.9)
    assert counts_of(result, "cophe") == [2, 3, 3]  # the system has I twice
    assert counts_of(result, "level0") == [1, 0, 1]  # I, J against I
    assert counts_of(result, "level1") == [1, 1, 1]  # I21, J45 against I21, I50
    assert counts_of(result, "level2") == [0, 2, 2]


def test_two_parents_by_hand():
    found = {"a": ["asthma", "flu"], "b": ["lung"]}
    gold = {"a": ["pneumonia", "flu"], "b": ["asthma"]}
    result = scores("clinical_codes", found, gold, TWO_PARENTS)
    # a: pneumonia, lung, infection, flu against asthma, lung, flu, infection; b: lung, asthma
    assert counts_of(result, "h") == [4, 1, 2]
    # a: infection stands above pneumonia and flu, and once in the system
    assert counts_of(result, "cophe") == [4, 1, 3]
    assert counts_of(result, "level0") == [3, 0, 0]
    assert counts_of(result, "level1") == [1, 2, 2]  # lung is above level 1, and stands for itself


@pytest.mark.parametrize("name", RECORDED)
def test_numbers_of_cophe_and_hiclass(name):
    corpus = RECORDED[name]
    result = scores("clinical_codes", corpus["predicted"], corpus["gold"], corpus["parents"])
    programs = {"h": corpus["hiclass"]}
    if "cophe" in corpus:
        programs["cophe"] = corpus["cophe"]["counts"]
        assert counts_of(result, "h") == [corpus["cophe"]["sets"][v] for v in ("tp", "fp", "fn")]
    for key, recorded in programs.items():
        assert {each: result[f"{key}_{each}"] for each in recorded} == pytest.approx(recorded)


CODES = [f"c{at}" for at in range(9)]


@st.composite
def corpora(draw):
    """Parents of codes, among the codes before them; and documents on both sides."""
    parents = {
        code: [CODES[above] for above in draw(st.sets(st.integers(0, at - 1), max_size=2))]
        if at
        else []
        for at, code in enumerate(CODES)
    }
    documents = st.lists(st.lists(st.sampled_from(CODES), unique=True, max_size=5), min_size=3)
    golds, founds = draw(documents.filter(any)), draw(documents)
    size = min(len(golds), len(founds))
    return parents, golds[:size], founds[:size]


@given(corpora())
def test_random_hierarchies_as_plain_loops_score_them(corpus):
    parents, golds, founds = corpus
    expected = hierarchy.score(hierarchy.Tree(parents), golds, founds)
    for module in ("clinical_codes", "codiesp20"):
        result = scores(module, founds, golds, parents)
        added = {key: value for key, value in result.as_dict().items() if ADDED.match(key)}
        assert added == pytest.approx(expected)


@given(corpora())
def test_parts_add_up_and_counts_survive_json(corpus):
    parents, golds, founds = corpus
    options = {"hierarchy": parents}
    whole = clineval.count("clinical_codes", founds, golds, **options)
    pairs = zip(founds, golds, strict=True)
    parts = [
        clineval.count("clinical_codes", [f], [g], **options).named(str(n))
        for n, (f, g) in enumerate(pairs)
    ]
    assert Counts.sum(parts).score().values == whole.score().values
    assert Counts.from_json(whole.to_json()) == whole


@pytest.mark.parametrize(("module", "config", "protocol", "hierarchy"), WAYS)
def test_exact_scores_do_not_move(module, config, protocol, hierarchy):
    for system in (0, 1)[module == "icd_coding" :]:
        sides, options = arguments_of(module, system)
        options.pop("codes") if module == "codiesp20" else None
        ways = {**options, "config": config, "protocol": protocol, "confidence": 0.9}
        with_it = scores(module, *sides, hierarchy, **ways).as_dict()
        without = clineval.score(module, *sides, **ways).as_dict()
        added = {key for key in with_it if ADDED.match(key)}
        assert {"h_f1", "h_f1_low", "cophe_precision", "level0_f1", "level2_tp"} <= added
        for key, value in without.items():
            if key != "signature":
                assert with_it[key] == value, key
        assert re.search(rf"\|hierarchy:{hierarchy}\|", with_it["signature"])


@pytest.mark.parametrize(("module", "config", "protocol", "hierarchy"), WAYS)
def test_the_deepest_level_of_a_tree_is_the_exact_score(module, config, protocol, hierarchy):
    sides, options = arguments_of(module, 1)
    options.pop("codes") if module == "codiesp20" else None
    result = scores(module, *sides, hierarchy, config=config, protocol=protocol, **options)
    deepest = max(key for key in result.as_dict() if re.match(r"level\d_f1$", key))
    if protocol == "spec":
        assert counts_of(result, deepest.removesuffix("_f1")) == counts_of(result, "micro")


def test_codes_with_scores_count_above_the_threshold():
    found = {"a": {"I21.4": 0.9, "J45": 0.2, "unknown": 0.1}}
    result = scores("clinical_codes", found, {"a": ["I21.0"]}, TREE)
    assert counts_of(result, "h") == [2, 1, 1]


def test_case_and_points_do_not_matter_where_they_do_not_for_codes():
    found, gold = {"a": ["i214"]}, {"a": ["I21.0"]}
    result = scores("clinical_codes", found, gold, TREE, ignore_points=True)
    assert counts_of(result, "h") == [2, 1, 1]


def test_an_unknown_gold_code_is_an_error(tmp_path):
    with pytest.raises(InputError, match="document a: the code 'X1' is not in the hierarchy"):
        scores("clinical_codes", {"a": []}, {"a": ["I10", "X1"]}, TREE)
    gold, found, tree = (tmp_path / name for name in ("gold.csv", "found.csv", "tree.csv"))
    gold.write_text("filename,code\na,I10\na,X1\n")
    found.write_text("filename,code\na,I10\n")
    tree.write_text("code,parent\nI10,I\nI,\nJ,\n")
    with pytest.raises(InputError, match=r"gold.csv:3: the code 'X1' is not in the hierarchy"):
        scores("clinical_codes", found, gold, tree)
    files = Path(tmp_path / "gold.tsv"), Path(tmp_path / "found.tsv")
    files[0].write_text("a\tI10\na\tX1\n")
    files[1].write_text("a\tI10\n")
    for protocol, where in (
        ("spec", r"gold.tsv:2: the code 'X1'"),
        ("official", "references, document a: the code 'x1'"),
    ):
        with pytest.raises(InputError, match=f"{where} is not in the hierarchy"):
            scores("codiesp20", files[1], files[0], tree, protocol=protocol)


def test_an_unknown_predicted_code_is_wrong_and_has_no_ancestors():
    warning = "^2 predicted codes are not in the hierarchy, and count as wrong, without ancestors"
    with pytest.warns(InputWarning, match=warning):
        result = scores("clinical_codes", {"a": ["I10", "X1", "Y1"]}, {"a": ["I10"]}, TREE)
    for name in ("h", "cophe", "level0", "level1", "level2"):
        assert counts_of(result, name)[1:] == [2, 0]


def test_files_have_a_digest_in_the_signature(tmp_path):
    tree = tmp_path / "tree.csv"
    tree.write_text("code,parent\nI10,I\nI,\nJ,\n")
    first, again = (scores("clinical_codes", [["I10"]], [["I10"]], tree) for _ in range(2))
    name = re.search(r"\|hierarchy:([0-9a-f]{12})\|", str(first.signature))[1]
    assert f"|hierarchy:{name}|" in str(again.signature)
    assert str(tmp_path) not in str(first.signature)
    tree.write_text("code,parent\nI10,I\nI,\n")
    other = scores("clinical_codes", [["I10"]], [["I10"]], tree)
    assert f"|hierarchy:{name}|" not in str(other.signature)


def test_groups_have_the_scores():
    sides, options = arguments_of("clinical_codes", 0)
    found = evaluate("clinical_codes", *sides, hierarchy="icd10", **options)
    whole = found.score()
    for by in ("document", "code"):
        groups = break_down(found.outcomes, by)
        for name in ("h", "cophe", "level0", "level1"):
            assert [groups.scores[f"{name}_{v}"].sum() for v in ("tp", "fp", "fn")] == counts_of(
                whole, name
            )
    alone = {row["document"]: row["h_f1"] for row in whole.per_document}
    groups = break_down(found.outcomes, "document")
    assert dict(zip(groups.names, groups.scores["h_f1"].tolist(), strict=True)) == alone


def test_a_hierarchy_stays_in_its_file(tmp_path):
    tree = tmp_path / "tree.csv"
    tree.write_text("code,parent\nI10,SECRET1\nJ45,SECRET2\nSECRET3,SECRET2\n")
    counts = clineval.count("clinical_codes", [["J45"]], [["I10"]], hierarchy=tree)
    assert "SECRET" not in counts.to_json().upper()
    assert "SECRET" not in str(counts.score(confidence=0.9).as_dict(per_document=True)).upper()


def relate(tree, found, gold):
    """The kind of a wrong code, compared with a gold code; empty if they are not related."""
    above = [set(tree.parents.get(code, [])) - tree.root for code in (found, gold)]
    for name, holds in (
        ("too general", found in tree.extend(gold) - {gold}),
        ("too specific", gold in tree.extend(found) - {found}),
        ("sibling", above[0] & above[1]),
    ):
        if holds:
            return name
    return "unrelated"


def list_errors(module, founds, golds, parents):
    """The kind of each wrong code, and its gold code or an empty string; by document and code."""
    outcomes = evaluate(module, founds, golds, hierarchy=parents).outcomes
    match = outcomes.matches["near_misses"]
    kinds = kinds_of(outcomes)
    found = {}
    for row, kind in enumerate(classify(outcomes).tolist()):
        gold, code = outcomes.value("code", match, row)
        if kinds[kind] not in ("right", "missed"):
            document = int(outcomes.documents_of(match)[row])
            found[document, code] = kinds[kind], gold or ""
    return found


def test_kinds_of_errors_by_hand():
    golds = [["I21.0", "I50"], ["I21", "I50", "J"]]
    founds = [["I21", "I21.4", "J45"], ["I21.0", "I10"]]
    assert list_errors("clinical_codes", founds, golds, TREE) == {
        (0, "i21"): ("too general", "i21.0"),
        (0, "i21.4"): ("sibling", ""),  # of I21.0, which has a partner
        (0, "j45"): ("unrelated", ""),
        (1, "i21.0"): ("too specific", "i21"),
        (1, "i10"): ("sibling", "i50"),
    }


@given(corpora())
def test_kinds_of_errors_of_random_hierarchies(corpus):
    parents, golds, founds = corpus
    tree = hierarchy.Tree(parents)
    errors = list_errors("clinical_codes", founds, golds, parents)
    order = ["too general", "too specific", "sibling", "unrelated"]
    for document, (gold, found) in enumerate(zip(golds, founds, strict=True)):
        wrong = {code: errors[document, code] for code in set(found) - set(gold)}
        partners = [partner for _, partner in wrong.values() if partner]
        assert len(set(partners)) == len(partners)
        assert set(partners) <= set(gold) - set(found)
        for code, (kind, partner) in wrong.items():
            if partner:
                assert kind == relate(tree, code, partner)
            else:
                assert kind == min(
                    (relate(tree, code, each) for each in gold),
                    key=order.index,
                    default="unrelated",
                )
                assert all(
                    relate(tree, code, each) == "unrelated"
                    for each in set(gold) - set(found) - set(partners)
                )
    assert len(errors) == sum(len(set(f) - set(g)) for f, g in zip(founds, golds, strict=True))


@pytest.mark.parametrize("config", ["D", "X"])
def test_the_command_line_counts_and_lists_errors(config, run):
    corpus = find_challenge("codiesp20").task.corpora
    files = [corpus / f"{name}_{config}.tsv" for name in ("gold", "dictionary")]
    asked = ["--config", config, "--hierarchy", "icd10cm+icd10pcs"]
    expected = {
        ("errors",): r"\(.*unrelated",
        ("score",): r"level 4 ",
        ("score", "--by", "document"): r"h_f1",
        ("score", "--format", "json"): r'"level4_recall":',
        ("compare", files[0]): r"h_f1",
    }
    if config == "X":  # the files of both sides have other columns
        del expected["compare", files[0]]
    for (command, *more), shown in expected.items():
        assert re.search(shown, run(command, "codiesp20", *files, *more, *asked).stdout), command
