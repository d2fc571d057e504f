"""Scores of spans with codes by a hierarchy: by hand, and from plain loops."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocols.test_hierarchies import ADDED, CODES, TREE, TWO_PARENTS, counts_of

import clineval
from clineval import Challenge, CodedSpans, Counts, InputError, InputWarning, Slot, Task
from clineval.definitions import hierarchy
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.analysis.mistakes import count_mistakes, find_frequent
from clineval.evaluation.evaluate import evaluate

OPTIONS = {"slots": ["code"]}


def mention(start, code, label="sign", **others):
    return {"spans": [[start, start + 4]], "label": label, "code": code, **others}


GOLD = [[mention(0, "I21.0"), mention(5, "J45"), mention(10, None)]]
FOUND = [[mention(0, "I21"), mention(5, "I50"), mention(10, None), mention(20, "I10")]]


def score(found, gold, hierarchy, **options):
    return clineval.score("clinical_spans", found, gold, hierarchy=hierarchy, **OPTIONS | options)


def test_a_tree_by_hand():
    """The first span shares I and I21, the second nothing, the third has no code on both sides."""
    result = score(FOUND, GOLD, TREE)
    assert counts_of(result, "strict") == [3, 1, 0]
    assert counts_of(result, "strict_slots") == [1, 3, 2]
    # I, I21, (none); missed I21.0, J, J45; spurious I, I50, I, I10
    assert counts_of(result, "h") == counts_of(result, "cophe") == [3, 4, 3]
    assert result["h_precision"] == pytest.approx(3 / 7)
    assert result["h_recall"] == pytest.approx(3 / 6)
    assert counts_of(result, "level0") == [2, 2, 1]
    assert counts_of(result, "level1") == [2, 2, 1]
    assert counts_of(result, "level2") == counts_of(result, "strict_slots")


def test_two_parents_by_hand():
    gold = [[mention(0, "pneumonia"), mention(0, "flu"), mention(9, "asthma")]]
    found = [[mention(0, "asthma"), mention(0, "flu"), mention(9, "asthma", "other")]]
    with pytest.warns(InputWarning, match="does not occur in the references"):
        result = score(found, gold, TWO_PARENTS)
    # at 0: pneumonia, lung, infection, flu against asthma, lung, flu, infection
    # at 9: the labels differ
    assert counts_of(result, "h") == [3, 3, 3]
    assert counts_of(result, "cophe") == [3, 3, 4]  # infection is above pneumonia and above flu
    assert counts_of(result, "level0") == [2, 1, 1]


@st.composite
def corpora(draw):
    """Parents of codes, and mentions of both sides with few places."""
    parents = {
        code: [CODES[above] for above in draw(st.sets(st.integers(0, at - 1), max_size=2))]
        if at
        else []
        for at, code in enumerate(CODES)
    }
    one = st.builds(
        mention,
        st.sampled_from([0, 2, 8]),
        st.sampled_from([*CODES, None]),
        st.sampled_from(["sign", "drug"]),
        negated=st.booleans(),
    )
    documents = st.lists(st.lists(one, max_size=6), min_size=2, max_size=4)
    golds, founds = draw(documents), draw(documents)
    size = min(len(golds), len(founds))
    golds[0].append(mention(0, CODES[0], negated=True))
    return parents, golds[:size], founds[:size]


def place(golds, founds, key):
    """The codes at each place, as documents for the plain scorer."""
    sides = []
    for documents in (golds, founds):
        side = {}
        for at, mentions in enumerate(documents):
            for each in mentions:
                side.setdefault((at, *key(each)), set()).add(each["code"] or "no")
        sides.append(side)
    places = [*dict.fromkeys([*sides[0], *sides[1]])]
    return [[side.get(each, ()) for each in places] for side in sides]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(corpora())
def test_random_hierarchies_as_plain_loops_score_them(corpus):
    parents, golds, founds = corpus
    tree = hierarchy.Tree(parents)
    for slots in (["code"], ["code", "negated"]):
        options = {"slots": slots, "labels": ["sign", "drug"]}
        result = score(founds, golds, parents, code_slot="code", **options).as_dict()
        sides = place(
            golds,
            founds,
            lambda m, slots=slots: (m["spans"][0][0], m["label"], *(m[s] for s in slots[1:])),
        )
        expected = hierarchy.score(tree, *sides)
        assert {k: v for k, v in result.items() if ADDED.match(k)} == pytest.approx(expected)
        without = clineval.score("clinical_spans", founds, golds, **options).as_dict()
        added = {"signature", *expected}
        assert {k: v for k, v in result.items() if k not in added} == {
            k: v for k, v in without.items() if k not in added
        }
        flat = dict.fromkeys([*CODES, "other"])
        exact = score(founds, golds, flat, code_slot="code", **options)
        assert counts_of(exact, "h") == counts_of(exact, "strict_slots")


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(corpora())
def test_parts_add_up_and_errors_are_the_pairs_with_other_codes(corpus):
    parents, golds, founds = corpus
    options = {"hierarchy": parents, "labels": ["sign", "drug"], **OPTIONS}
    whole = clineval.count("clinical_spans", founds, golds, **options)
    parts = [
        clineval.count("clinical_spans", [f], [g], **options).named(str(n))
        for n, (f, g) in enumerate(zip(founds, golds, strict=True))
    ]
    assert Counts.sum(parts).score().values == whole.score().values
    assert Counts.from_json(whole.to_json()) == whole
    outcomes = evaluate("clinical_spans", founds, golds, **options).outcomes
    tree, match = hierarchy.Tree(parents), outcomes.matches["near_misses"]
    for name, rows in match.reasons.items():
        for row in rows.nonzero()[0].tolist():
            gold, code = outcomes.value("code", match, row)
            above = [set(tree.parents.get(each, [])) - tree.root for each in (gold, code)]
            if code in tree.extend(gold):
                assert name == "too general"
            elif gold in tree.extend(code):
                assert name == "too specific"
            else:
                assert name == ("sibling" if above[0] & above[1] else "unrelated")
    right = count_mistakes(outcomes)["right"]
    assert right <= whole.score()["strict_slots_tp"]


def test_errors_list_codes():
    outcomes = evaluate("clinical_spans", FOUND, GOLD, hierarchy=TREE, **OPTIONS).outcomes
    listed = {(m.kind, m.gold, m.prediction) for m in find_frequent(outcomes)}
    assert listed == {
        ("too general", "I21.0", "I21"), ("unrelated", "J45", "I50"), ("spurious", None, "sign"),
    }  # fmt: skip


def test_labels_can_be_codes():
    found = [[{"spans": [[0, 4]], "label": "I21"}, {"spans": [[5, 9]], "label": "J45"}]]
    gold = [[{"spans": [[0, 4]], "label": "I21.4"}, {"spans": [[5, 9]], "label": "J45"}]]
    with pytest.warns(InputWarning, match="does not occur in the references"):
        result = score(found, gold, TREE, slots=None, code_slot="label")
    assert counts_of(result, "h") == [4, 0, 1]
    assert counts_of(result, "strict") == [1, 1, 1]


def test_options_must_name_a_slot_of_codes():
    gold = [[mention(0, "I10", side="left")]]
    for options, problem in (
        ({"slots": None}, "^hierarchy: no slot is scored"),
        (
            {"slots": ["code", "side"]},
            "^hierarchy: the codes can be in any of the slots code, side",
        ),
        ({"code_slot": "side"}, "^code_slot: the slot is not scored. Pass slots= with side too"),
        ({"code_slot": "code,side"}, "^code_slot: expected the name of one slot"),
    ):
        with pytest.raises(InputError, match=problem):
            score(gold, gold, TREE, **options)


def test_unknown_codes():
    gold, found = [[mention(0, "I10")]], [[mention(0, "X1"), mention(7, "X2")]]
    with pytest.raises(InputError, match="document 0: the code 'X1' is not in the hierarchy"):
        score(gold, [[mention(0, "I10"), mention(3, "X1")]], TREE)
    warning = "^2 predicted codes are not in the hierarchy, and count as wrong, without ancestors"
    with pytest.warns(InputWarning, match=warning):
        result = score(found, gold, TREE)
    assert counts_of(result, "h") == [0, 2, 2]


def test_groups_have_the_scores():
    found = evaluate("clinical_spans", FOUND * 2, GOLD * 2, hierarchy=TREE, **OPTIONS)
    whole = found.score(confidence=0.9)
    assert "h_f1_low" in whole.as_dict()
    for by in ("document", "label"):
        groups = break_down(found.outcomes, by)
        sums = [groups.scores[f"h_{v}"].sum() for v in ("tp", "fp", "fn")]
        assert sums == counts_of(whole, "h")


def test_a_challenge_can_declare_a_slot_of_sets_of_codes():
    slots = (Slot("codes", "codes"),)
    task = Task("signs", "Signs", "https://example.org/", definition="")
    challenge = Challenge(task, {"spec": CodedSpans(("sign",), slots=slots, codes="codes")})
    gold = [[{"spans": [[0, 4]], "label": "sign", "codes": ["I21.0", "J45"]}]]
    found = [[{"spans": [[0, 4]], "label": "sign", "codes": ["I21.4", "I50"]}]]
    result = clineval.score(challenge, found, gold, hierarchy=TREE)
    assert counts_of(result, "h") == [2, 2, 3]  # as the codes of a document
    assert counts_of(result, "cophe") == [2, 3, 3]
    outcomes = evaluate(challenge, found, gold, hierarchy=TREE).outcomes
    assert count_mistakes(outcomes)["sibling"] == 1
    with pytest.raises(InputError, match="unknown slot 'code'"):
        CodedSpans(("sign",), slots=slots, codes="code")


def test_the_command_line(tmp_path, run):
    names = ("tree.csv", "gold.jsonl", "found.jsonl", "again.jsonl")
    tree, *files = (tmp_path / name for name in names)
    tree.write_text("code,parent\n" + "".join(f"{c},{p or ''}\n" for c, p in TREE.items()))
    for file, [mentions] in zip(files, (GOLD, FOUND, FOUND), strict=True):
        file.write_text(json.dumps({"id": "a", "mentions": mentions}) + "\n")
    asked = ["--hierarchy", tree, "--slots", "code"]
    expected = {
        ("errors",): r"too general +I21\.0 +I21",
        ("score",): r"level 2 ",
        ("score", "--by", "label"): r"h_f1",
        ("score", "--format", "json"): r'"level1_recall": 0\.66',
        ("compare", files[2]): r"h_f1",
        ("report", "-o", tmp_path / "page.html"): "",
    }
    for (command, *more), shown in expected.items():
        output = run(command, "clinical_spans", *files[:2], *more, *asked).stdout
        assert re.search(shown, output), command
    assert '"h_f1":' in (tmp_path / "page.html").read_text()
