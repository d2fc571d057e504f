"""i2b2/VA 2010 by the document: cases, plain scorers of both protocols, laws, bad input."""

import json

import laws
import pytest
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain import i2b2_2010_script as script
from thorough import thorough

import clineval
from clineval.base.errors import InputWarning
from clineval.challenges.i2b2_2010 import CHALLENGE
from clineval.challenges.i2b2_2010 import definition as plain
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge
from clineval.workbench import build_workbench

NAME = "i2b2_2010"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
PLACES = st.tuples(st.integers(1, 2), st.integers(0, 6))
SPANS = st.lists(PLACES, min_size=2, max_size=2).map(lambda ends: tuple(sorted(ends)))


@st.composite
def items(draw):
    kind = draw(st.sampled_from(["concepts", "concepts", "assertions", "relations"]))
    label = draw(st.sampled_from(plain.LABELS[kind][:3]))
    if kind == "relations":
        ends = draw(st.lists(SPANS, min_size=2, max_size=2, unique=True))
        return (kind, label, *ends)
    return (kind, label, draw(SPANS))


@st.composite
def corpora(draw):
    """Dense: two lines of seven tokens, three labels of each kind, copies."""
    gold = draw(st.lists(st.lists(items(), max_size=9), min_size=1, max_size=3))
    found = []
    for document in gold:
        kept = draw(st.lists(st.sampled_from(document), max_size=5)) if document else []
        found.append(draw(st.permutations([*kept, *draw(st.lists(items(), max_size=6))])))
    return gold, found


def write(item):
    """An item as a line."""
    kind, label, *spans = item
    cells = ['c="words" ' + " ".join(f"{line}:{token}" for line, token in span) for span in spans]
    if kind == "concepts":
        return f'{cells[0]}||t="{label}"'
    if kind == "assertions":
        return f'{cells[0]}||t="problem"||a="{label}"'
    return f'{cells[0]}||r="{label}"||{cells[1]}'


def lines(documents):
    return ["".join(f"{write(item)}\n" for item in document) or "\n" for document in documents]


def score(predictions, references, **options):
    return clineval.score(NAME, lines(predictions), lines(references), **options).as_dict()


def count(predictions, references):
    return clineval.count(NAME, lines(predictions), lines(references))


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpora())
def test_counts_are_those_of_the_plain_scorer(protocol, corpus):
    references, predictions = corpus
    found = clineval.count(NAME, lines(predictions), lines(references), protocol=protocol)
    if protocol == "official":
        assert found.totals == script.score(predictions, references)
        return
    pairs = [as_dicts(*pair) for pair in zip(references, predictions, strict=True)]
    expected = plain.score_documents(*map(list, zip(*pairs, strict=True)))
    assert found.totals == {key: expected[key] for key in found.totals}
    assert {key for key in expected if key[-3:] in ("_tp", "_fp", "_fn")} == {*found.totals}


def as_dicts(*sides):
    """A gold and a predicted document with offsets that count tokens; lines are equally long."""
    tokens = [token for side in sides for item in side for span in item[2:] for _, token in span]
    width = 1 + max(tokens, default=0)

    def offsets(span):
        (line, first), (last_line, last) = span
        return [[line * width + first, last_line * width + last + 1]]

    documents = []
    for side in sides:
        mentions, relations = [], []
        for number, (kind, label, *spans) in enumerate(side):
            ends = [f"{number}.{end}" for end in range(len(spans))]
            labels = ["" if kind == "relations" else label] * len(spans)
            mentions += [
                {"id": end, "spans": offsets(span), "label": of}
                for end, span, of in zip(ends, spans, labels, strict=True)
            ]
            if kind == "relations":
                relations.append({"label": label, "from": ends[0], "to": ends[1]})
        documents.append({"mentions": mentions, "relations": relations})
    return documents


@thorough
@given(corpora(), st.integers(0, 99))
def test_laws_of_the_engine(corpus, seed):
    laws.hold_for_the_engine(score, count, corpus, seed)


@given(corpora(), st.integers(0, 99))
def test_laws(corpus, seed):
    references, predictions = corpus
    laws.order_of_units_does_not_matter(score, predictions, references, seed)
    laws.swapping_sides_swaps_precision_and_recall(
        score, predictions, references, ["concepts_strict", "assertions_exact", "relations_strict"]
    )
    for strict, relaxed in (("strict", "lenient"), ("strict", "exact"), ("exact", "overlap"),
                            ("lenient", "overlap")):  # fmt: skip
        if (strict, relaxed) != ("lenient", "overlap"):
            laws.strict_is_at_most_relaxed(
                score, predictions, references, f"concepts_{strict}", f"concepts_{relaxed}"
            )
    scores = score(predictions, references)
    laws.scores_are_flat_numbers(scores)
    for match in ("strict", "exact", "lenient", "overlap"):  # the organisers' reality check
        total = {v: scores[f"concepts_{match}_{v}"] for v in ("tp", "fp", "fn")}
        assert (
            total["tp"] + total["fn"] == scores["concepts_strict_tp"] + scores["concepts_strict_fn"]
        )
        assert (
            total["tp"] + total["fp"] == scores["concepts_strict_tp"] + scores["concepts_strict_fp"]
        )


def test_a_perfect_system():
    gold = [
        [
            ("concepts", "problem", ((1, 0), (1, 2))),
            ("assertions", "absent", ((1, 0), (1, 2))),
            ("concepts", "treatment", ((1, 4), (1, 4))),
            ("relations", "TrAP", ((1, 4), (1, 4)), ((1, 0), (1, 2))),
        ]
    ]
    keys = [f"{kind}_strict_f1" for kind in plain.LABELS] + ["macro_concepts_lenient_f1"]
    laws.perfect_predictions_score_one(score, gold, keys)


SPEC = {
    "q01a_overlap_left_partial": {"concepts_overlap": (1, 0, 0)},
    "q02_inexact_below_exact": {"concepts_exact": (2, 0, 0), "concepts_overlap": (2, 0, 0)},
    "q03_class_inexact_row": {"concepts_lenient": (1, 1, 1)},
    "q03b_class_inexact_row_all_wrong": {"concepts_lenient": (0, 1, 1)},
    "q04_one_big_prediction": {"concepts_overlap": (1, 0, 2)},
    "q04b_three_in_one_gold": {"concepts_overlap": (1, 2, 0)},
    "q05a_greedy_gold_order": {"concepts_overlap": (2, 0, 0)},
    "q05b_greedy_gold_order": {"concepts_overlap": (2, 0, 0)},
    "q05c_greedy_class": {"concepts_overlap": (2, 0, 0), "concepts_lenient": (2, 0, 0)},
    "q06a_duplicate_prediction": {"concepts_strict": (1, 0, 0)},
    "q06b_duplicate_gold": {"concepts_strict": (1, 0, 0)},
    "q06c_duplicate_both": {"concepts_strict": (1, 0, 0)},
    "q07a_span_row_class_order": {"test_exact": (0, 1, 0)},
    "q07b_span_row_class_order": {"test_exact": (0, 1, 0)},
    "q08_class_case": {"concepts_strict": (1, 0, 0)},
    "q15_token_1000": {"concepts_overlap": (0, 1, 1)},
    "q01b_overlap_left_touch": {"concepts_overlap": (1, 0, 0)},
    "q01c_overlap_right_partial": {"concepts_overlap": (1, 0, 0)},
    "q01g_adjacent": {"concepts_overlap": (0, 2, 1)},
    "q18b_line_separators": {"concepts_strict": (4, 0, 0)},
    "q21_ast_basic": {"assertions_exact": (2, 1, 1), "assertions_strict": (1, 2, 2)},
    "q21c_ast_two_values": {"assertions_exact": (1, 1, 0), "present_exact": (0, 1, 0)},
    "q22a_rel_swapped": {"relations_strict": (1, 0, 0)},
    "q22b_rel_both_directions": {"relations_strict": (1, 0, 0)},
    "q22c_rel_type": {"relations_exact": (1, 0, 0), "trap_strict": (0, 0, 1)},
    "q22d_rel_case": {"relations_strict": (1, 0, 0)},
    "q22f_rel_one_span_off": {"relations_strict": (0, 1, 1)},
    "q22g_rel_two_types": {"relations_exact": (2, 0, 0), "relations_strict": (1, 1, 1)},
}
"""tp, fp, fn, as the notes on the oracle give them."""


@pytest.mark.parametrize("name", SPEC)
def test_a_case_by_the_document(name):
    scores = clineval.score(NAME, CASES / name / "system", CASES / name / "reference")
    for key, expected in SPEC[name].items():
        assert tuple(scores[f"{key}_{v}"] for v in ("tp", "fp", "fn")) == expected, key


@pytest.mark.parametrize("name", [
    "q09_bad_lines", "q09b_accepted_lines", "q17_reversed", "q21b_ast_case_and_blanks",
    "q21d_ast_two_fields", "q22e_rel_none", "q22h_rel_self",
])  # fmt: skip
def test_a_case_that_the_document_does_not_allow(name):
    laws.refuses(
        lambda: clineval.score(NAME, CASES / name / "system", CASES / name / "reference"), ":"
    )


def test_mentions_and_relations_as_dicts():
    gold = {
        "id": "a",
        "mentions": [
            {"id": "p", "spans": [[10, 15]], "label": "problem"},
            {"id": "t", "spans": [[0, 7]], "label": "treatment"},
            {"spans": [[10, 15]], "label": "absent"},
        ],
        "relations": [{"label": "TrAP", "from": "t", "to": "p"}],
    }
    found = {**gold, "relations": [{"label": "TrAP", "from": "p", "to": "t"}]}
    found["mentions"] = [*gold["mentions"][:2], {"spans": [[10, 15]], "label": "present"}]
    scores = clineval.score(NAME, [found], [gold]).as_dict()
    assert scores["concepts_strict_f1"] == scores["relations_strict_f1"] == 1
    assert (scores["assertions_strict_tp"], scores["assertions_exact_tp"]) == (0, 1)
    both = [json.dumps(found)], [json.dumps(gold)]
    assert clineval.score(NAME, *both).as_dict() == scores
    some = clineval.score(NAME, [found], [gold], config="assertions").as_dict()
    assert "concepts_strict_f1" not in some
    assert some["assertions_exact_f1"] == 1


def folder(tmp_path, side, **files):
    made = tmp_path / side
    made.mkdir(exist_ok=True)
    for name, text in files.items():
        stem, _, ending = name.rpartition("_")
        (made / f"{stem}.{ending}").write_text(text)
    return made


GOOD = 'c="x" 1:0 1:1||t="test"\n'


@pytest.mark.parametrize(("name", "line", "parts"), [
    ("a_con", 'c="Secret" 1:0 1:1||t="drug"', ["a.con:2", "unknown value", "problem"]),
    ("a_con", 'c="Secret" 1:0 1:1', ["a.con:2", "expected a line such as"]),
    ("a_con", 'c="Secret" 1:3 1:1||t="test"', ["a.con:2", "before the start"]),
    ("a_con", 'c="Secret" 0:3 1:1||t="test"', ["a.con:2", "lines count from 1"]),
    ("a_con", 'c="Secret" 1:-3 1:1||t="test"', ["a.con:2"]),
    ("a_ast", 'c="Secret" 1:0 1:1||t="problem"', ["a.ast:2", "a="]),
    ("a_rel", 'c="Secret" 1:0 1:1||r="PIP"||c="Secret" 1:0 1:1', ["a.rel:2", "with itself"]),
    ("a_rel", 'c="Secret" 1:0 1:1||r="NonePP"||c="x" 2:0 2:1', ["a.rel:2", "TrIP"]),
])  # fmt: skip
def test_bad_lines_are_refused_and_listed(tmp_path, name, line, parts):
    start = {
        "con": GOOD,
        "ast": 'c="x" 1:0 1:1||t="problem"||a="present"\n',
        "rel": 'c="x" 1:0 1:1||r="PIP"||c="y" 2:0 2:1\n',
    }
    made = folder(tmp_path, "gold", **{name: f"{start[name[-3:]]}{line}\n"})
    message = laws.refuses(lambda: clineval.score(NAME, made, made), *parts, text=["Secret"])
    [problem] = find_problems(CHALLENGE, [made])
    assert str(problem) == message


def test_assertions_without_a_file_of_them_are_refused(tmp_path):
    gold, found = (folder(tmp_path, side, a_con=GOOD) for side in ("gold", "found"))
    laws.refuses(lambda: clineval.score(NAME, found, gold, config="assertions"), ".ast", ".con")
    scores = clineval.score(NAME, found, gold)
    assert "kinds:concepts" in str(scores.signature)
    assert "assertions_strict_f1" not in scores.as_dict()


def test_a_note_of_one_side_counts_with_a_warning(tmp_path):
    gold = folder(tmp_path, "gold", a_con=GOOD, b_con=GOOD)
    found = folder(tmp_path, "found", a_con=GOOD, c_con=GOOD)
    with pytest.warns(InputWarning, match="b"):
        scores = clineval.score(NAME, found, gold).as_dict()
    assert [scores[f"concepts_strict_{v}"] for v in ("tp", "fp", "fn")] == [1, 1, 1]


def test_phrases_may_hold_anything(tmp_path):
    odd = 'c="a||t="test" 9:9 9:9" 1:0 1:1||t="problem"\n'
    made = folder(tmp_path, "gold", a_con=odd)
    assert clineval.score(NAME, made, made)["problem_strict_tp"] == 1


def test_a_file_of_one_side_counts_with_a_warning(tmp_path):
    asserted = 'c="x" 1:0 1:1||t="problem"||a="present"\n'
    gold = folder(tmp_path, "gold", a_con=GOOD, a_ast=asserted, b_con=GOOD)
    found = folder(tmp_path, "found", a_con=GOOD, b_con=GOOD, b_ast=asserted)
    with pytest.warns(InputWarning, match=r"2 notes have a \.ast file on one side only.*a, b"):
        scores = clineval.score(NAME, found, gold).as_dict()
    assert [scores[f"assertions_strict_{v}"] for v in ("tp", "fp", "fn")] == [0, 1, 1]


def test_digests_and_comparisons_do_not_depend_on_predictions():
    gold = [[("concepts", "problem", ((1, 0), (2, 2)))]]
    wide = [[("concepts", "problem", ((1, 0), (1, 50)))]]
    signatures = {score(found, gold)["signature"] for found in (gold, wide)}
    assert len(signatures) == 1


def test_a_report_shows_no_words_for_tokens():
    gold = lines([[("concepts", "problem", ((1, 0), (1, 2)))]])
    page = build_workbench(NAME, gold, {"a": gold})
    assert page.head["classes"]["slot"] == "label"
    laws.refuses(lambda: build_workbench(NAME, gold, {"a": gold}, notes=["x"]), "tokens")


def test_a_string_s_line_is_named_as_it_counts():
    good = 'c="a b" 1:0 1:1||t="test"\n'
    texts = [good + 'c="a b" 1:0 1:1||t="tset"\n']
    laws.refuses(lambda: clineval.score(NAME, texts, [good]), "document 0:2")


def test_a_page_offers_the_main_scores_of_concepts():
    presets = find_challenge(NAME).faces.page.presets
    assert {preset.name: preset.key for preset in presets} == {
        "strict": "concepts_strict_f1",
        "lenient": "concepts_lenient_f1",
    }
