"""eHealth-KD 2020: the definition, laws, and what is refused."""

from functools import partial
from itertools import pairwise

import laws
import pytest
from commands import invoke
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from plain import ehealthkd20_script as script

import clineval
from clineval import Document, InputError, InputWarning, Mention
from clineval.challenges.ehealthkd20 import definition as plain
from clineval.challenges.ehealthkd20.measures import KINDS
from clineval.evaluation.analysis.mistakes import confuse, count_mistakes
from clineval.formats.checking import find_problems
from clineval.kinds.mentions.mention import Relation

NAME = "ehealthkd20"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
# Counts by the definition where the notes beside the oracle name them: phrases C I P S M,
# relations C S M; an error if None. Elsewhere the definition gives what the program gives.
SPEC = {
    "a05_partial_one_to_one": ((0, 0, 1, 0, 1), (0, 0, 0)),
    "a09_fragment_with_blank": "correct",
    "a10_fragment_order_first_sentence": "correct",
    "a21_double_blank": "correct",
    "a14_same_span_two_gold_labels": "correct",
    "b25_two_preds_one_gold_phrase": ((3, 0, 0, 1, 0), (1, 0, 0)),
    "b10_class_transitive": ((4, 0, 0, 0, 0), (0, 1, 2)),
    "b11_self_loop": ((3, 0, 0, 0, 0), (0, 1, 1)),
    "b26_class_through_partial": ((2, 0, 1, 0, 0), (0, 1, 2)),
    "s04_accents_matter": ((0, 0, 0, 1, 1), (0, 0, 0)),
    "s05_moved_sentence": ((2, 0, 0, 1, 1), (0, 0, 0)),
    "s06_empty_line": ((2, 0, 0, 0, 0), (0, 0, 0)),
    "s07_leading_blank": ((2, 0, 0, 0, 0), (0, 0, 0)),
    "a20_unknown_label": None,
    "a23_end_past_sentence": None,
    "a24_start_at_newline": None,
    "a35_duplicate_id": None,
    "s11_astral": None,
    "a25_past_the_end_crash": None,
    "a26_zero_length": None,
    "a30_two_columns_crash": None,
    "b19_unknown_id_crash": None,
}
SAME = [
    "a01_identical", "a02_ids_and_order", "a03_five_classes", "a04_duplicate_prediction",
    "a06_partial_first_gold_not_best", "a07_partial_greedy_loses",
    "a11_fragment_order_second_sentence",
    "a12_gap_overlap", "a13_touch", "a17_incorrect_before_partial", "a18_unannotated_gold_sentence",
    "a19_label_case", "a22_text_column_ignored", "a27_attributes_ignored", "a28_notes_ignored",
    "a31_empty_ann", "a33_sequential_nested", "a34_partial_label_2019_only", "b01_direction",
    "b02_same_as_symmetric", "b03_label", "b04_arg_names_ignored", "b05_partial_endpoint",
    "b06_incorrect_endpoint", "b07_duplicate_relation", "b13_same_as_list", "b20_events",
    "b16_R_same_as", "b24_spurious_endpoint", "b28_scenario3_A_errors", "s01_missing_sentence",
    "s03_case_and_punctuation", "b17_reverse_both_same_as", "s09_crlf_text",
    "s12_repeated_sentence",
]  # fmt: skip


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def sides_of(case):
    return CASES / case / "pred" / "scenario.txt", CASES / case / "gold" / "scenario.txt"


def counts_of(result):
    return tuple(tuple(result[f"{of}_{kind}"] for kind in kinds) for of, kinds in KINDS.items())


@pytest.mark.parametrize("case", SAME)
def test_where_the_definition_and_the_program_agree(case):
    sides = sides_of(case)
    assert counts_of(score(*sides)) == counts_of(score(*sides, protocol="official"))


@pytest.mark.parametrize("case", SPEC)
def test_the_definition_decides_the_quirks(case):
    sides = sides_of(case)
    if SPEC[case] is None:
        laws.refuses(lambda: score(*sides), "scenario.ann:")
        return
    found = counts_of(score(*sides))
    if SPEC[case] == "correct":
        assert found[0][0] > 0
        assert found[0][1:3] == (0, 0)
        assert counts_of(score(*sides, protocol="official")) != found
    else:
        assert found == SPEC[case]


def test_classes_of_phrases_are_an_option():
    sides = sides_of("b08_same_as_class")
    exact, closure = (score(*sides, same_as=name) for name in ("exact", "closure"))
    official = score(*sides, protocol="official")
    assert exact["relations_correct"] < closure["relations_correct"]
    assert counts_of(closure) == counts_of(official)


def test_an_inserted_sentence_loses_only_itself():
    with pytest.warns(InputWarning, match="1 predicted sentence .*scenario:"):
        result = score(*sides_of("s02_extra_sentence"))
    assert result["phrases_missing"] == 0
    assert result["recall"] == 1.0


def test_a_relation_to_another_sentence_is_spurious():
    result = score(*sides_of("b18_cross_sentence_crash"))
    assert result["relations_spurious"] == 1


def test_unannotated_sentences_are_left_out_unless_asked_for():
    sides = sides_of("a18_unannotated_gold_sentence")
    with pytest.warns(InputWarning, match="1 sentence without gold annotations"):
        some = score(*sides)
    every = score(*sides, evaluated="all")
    assert every["n_documents"] > some["n_documents"]
    assert every["phrases_spurious"] > some["phrases_spurious"]


TEXT = "ab cd ef gh ij"
SPANS = [(s, e) for s in range(0, 14, 3) for e in (s + 2, s + 5, s + 8, s + 1) if e <= 14]


def disjoint(spans):
    return all(a[1] <= b[0] for a, b in pairwise(sorted(spans)))


spans = st.lists(st.sampled_from(SPANS), min_size=1, max_size=2).filter(disjoint).map(sorted)


@st.composite
def documents(draw):
    drawn = draw(st.lists(st.tuples(st.sampled_from(["Concept", "Action"]), spans), max_size=6))
    mentions = [
        {"id": f"T{k}", "label": a, "spans": [list(f) for f in b]} for k, (a, b) in enumerate(drawn)
    ]
    ends = st.integers(0, max(len(mentions) - 1, 0))
    labels = st.sampled_from(["is-a", "same-as", "same-as"])
    arcs = draw(st.lists(st.tuples(labels, ends, ends), max_size=6))
    relations = [{"label": n, "from": f"T{a}", "to": f"T{b}"} for n, a, b in arcs]
    return {"text": TEXT, "mentions": mentions, "relations": relations if mentions else []}


corpora = st.lists(st.tuples(documents(), documents()), min_size=1, max_size=3)
SETTINGS = [("spec", "exact"), ("spec", "closure"), ("official", "exact")]


@pytest.mark.parametrize(("protocol", "same_as"), SETTINGS)
@given(corpora)
def test_a_plain_scorer_agrees(protocol, same_as, corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    count = script.count if protocol == "official" else plain.count
    count = partial(count, closure=True) if same_as == "closure" else count
    try:
        expected = plain.score(corpus, count)
    except AssertionError:
        with pytest.raises(InputError, match="the released program stops"):
            score(systems, golds, protocol=protocol)
        return
    found = score(systems, golds, protocol=protocol, same_as=same_as)
    for key, value in expected.items():
        assert found[key] == pytest.approx(value, rel=0, abs=1e-12), key


def mixed(document, seed):
    """The same annotations in another order."""
    [mentions] = laws.shuffled([document["mentions"]], seed)
    [relations] = laws.shuffled([document["relations"]], seed)
    mentions = [{**m, "spans": m["spans"][::-1]} for m in mentions]
    return {**document, "mentions": mentions, "relations": relations}


@given(corpora, st.integers(0, 99))
def test_laws(corpus, seed):
    golds, systems = map(list, zip(*corpus, strict=True))
    whole = score(systems, golds)
    again = score([mixed(d, seed) for d in systems], [mixed(d, seed + 1) for d in golds])
    assert again == whole
    laws.order_of_documents_does_not_matter(score, systems, golds, seed)
    laws.scores_are_flat_numbers(whole)
    closure = score(systems, golds, same_as="closure")
    assert closure["relations_correct"] >= whole["relations_correct"]
    for of, kinds in KINDS.items():
        assert sum(whole[f"{of}_{kind}"] for kind in kinds) >= 0
    if any(document["mentions"] for document in golds):
        assert score(golds, golds)["f1"] == 1.0


@given(corpora)
def test_counts_add_up_and_survive(corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    count = lambda *sides: clineval.count(NAME, *sides)  # noqa: E731
    laws.counts_survive_json(count, systems, golds)
    parts = [count([s], [g]) for s, g in zip(systems, golds, strict=True)]
    added = parts[0]
    for part in parts[1:]:
        added += part
    assert added.totals == count(systems, golds).totals


@pytest.mark.parametrize("config", ["main", "taskA", "taskB"])
@given(corpora)
def test_outcomes_are_what_was_counted(config, corpus):
    golds, systems = map(list, zip(*corpus, strict=True))
    evaluation = clineval.evaluate(NAME, systems, golds, config=config)
    outcomes = evaluation.outcomes
    columns = {column for match in outcomes.matches.values() for column in match.columns}
    assert columns == set(evaluation.counts.columns)
    for match in outcomes.matches.values():
        for column in match.columns:
            assert len(match.rows(column)) == evaluation.counts.totals[column], column


def test_errors_and_confusion_know_phrases_and_relations():
    gold = {
        "text": TEXT,
        "mentions": [
            {"id": "T1", "spans": [[0, 2]], "label": "Concept"},
            {"id": "T2", "spans": [[3, 5]], "label": "Action"},
        ],
        "relations": [{"label": "subject", "from": "T2", "to": "T1"}],
    }
    found = {**gold, "mentions": [gold["mentions"][0], {**gold["mentions"][1], "label": "Concept"}]}
    outcomes = clineval.evaluate(NAME, [found], [gold]).outcomes
    mistakes = count_mistakes(outcomes)
    assert (mistakes["right"], mistakes["label"]) == (1, 1)
    assert (mistakes["spurious"], mistakes["missed"]) == (1, 1)
    assert len(confuse(outcomes, "label").outcomes("Action", "Concept")) == 1


def write(folder, text, ann):
    folder.mkdir(exist_ok=True)
    (folder / "a.txt").write_text(text)
    (folder / "a.ann").write_text(ann)
    return folder


GOOD = "T1\tConcept 0 2\tsecret\nT2\tAction 3 5\tsecret\nR1\tsubject Arg1:T2 Arg2:T1\n"


@pytest.mark.parametrize(
    ("line", "part"),
    [
        ("T3\tThing 6 8\tsecret", "unknown label"),
        ("T3\tConcept 6 99\tsecret", "outside the text"),
        ("T3\tConcept 6 6\tsecret", "end is not after"),
        ("T3\tConcept 5 6\tsecret", "no word"),
        ("T3\tConcept 6 8;7 11\tsecret", "overlap"),
        ("T1\tConcept 6 8\tsecret", "twice"),
        ("T3\tConcept 6-8\tsecret", "T1<tab>"),
        ("R2\tknows Arg1:T2 Arg2:T1", "unknown relation"),
        ("R2\tsubject Arg1:T2 Arg2:T9", "no phrase"),
        ("R2\tsubject T2 T1", "R1<tab>"),
        ("*\tsame-as T1", "same-as"),
        ("secret", "not a line of brat's format"),
    ],
)
def test_bad_lines_are_refused_and_listed(tmp_path, line, part):
    gold = write(tmp_path / "gold", TEXT, GOOD + line + "\n")
    system = write(tmp_path / "system", TEXT, GOOD)
    laws.refuses(lambda: score(system, gold), "a.ann:4", part, text=["secret"])
    problems = list(find_problems(clineval.results.registry.find_challenge(NAME), [gold]))
    assert [problem.line for problem in problems] == [4]


def test_unknown_labels_of_predictions_are_spurious(tmp_path):
    gold = write(tmp_path / "gold", TEXT, GOOD)
    system = write(tmp_path / "system", TEXT, GOOD + "T3\tThing 6 8\tx\n")
    assert score(system, gold)["phrases_spurious"] == 1


def test_documents_without_text_are_sentences():
    gold = {"mentions": [{"id": "T1", "spans": [[0, 2], [3, 5]], "label": "Concept"}]}
    found = {"mentions": [{"id": "T1", "spans": [[0, 5]], "label": "Concept"}]}
    assert score([found], [gold])["phrases_correct"] == 1
    for edition in ("2019", "2020"):
        result = score([gold, found], [gold, gold], protocol="official", edition=edition)
        assert (result["n_documents"], result["phrases_correct"]) == (2, 1)


LOOP = "R2\tsubject Arg1:T2 Arg2:T2\n"


def test_relations_of_a_phrase_with_itself_are_scored(tmp_path):
    """The challenge's own gold standard has some."""
    gold = write(tmp_path / "gold", TEXT, GOOD + LOOP)
    other = write(tmp_path / "other", TEXT, GOOD)
    for same_as in ("exact", "closure"):
        results = [
            score(*sides, same_as=same_as) for sides in ((gold, gold), (other, gold), (gold, other))
        ]
        counted = [counts_of(result)[1] for result in results]
        assert counted == [(2, 0, 0), (1, 0, 1), (1, 1, 0)]
        assert results[0]["f1"] == 1


@pytest.mark.parametrize("form", ["jsonl", "parquet"])
def test_relations_of_a_phrase_with_itself_come_back(tmp_path, form):
    phrase = Mention([(0, 2)], slots={"label": "Concept"}, id="T1", coded=False)
    document = Document("a", [phrase], TEXT, [Relation("subject", "T1", "T1")])
    clineval.write([document], tmp_path / f"a.{form}", form, NAME)
    path = tmp_path / f"a.{form}"
    assert counts_of(score(path, path))[1] == (1, 0, 0)


def test_the_relation_that_the_gold_standard_of_2021_has_is_scored(tmp_path):
    part = "R2\thas-part Arg1:T1 Arg2:T2\n"
    gold = write(tmp_path / "gold", TEXT, GOOD + part)
    other = write(tmp_path / "other", TEXT, GOOD)
    assert counts_of(score(gold, gold))[1] == (2, 0, 0)
    assert counts_of(score(other, gold))[1] == (1, 0, 1)
    assert invoke(["validate", NAME, gold]).exit_code == 0


@pytest.mark.parametrize(("end", "partial"), [(4, 0), (5, 1)])
def test_phrases_that_touch_do_not_overlap(end, partial):
    """Each is spurious or missing; a character in common makes them a partial match."""

    def phrase(start, end):
        mention = {"id": "T1", "spans": [[start, end]], "label": "Concept"}
        return [{"id": "a", "text": "broncoscopia", "mentions": [mention], "relations": []}]

    scores = clineval.score(NAME, phrase(0, end), phrase(4, 12))
    assert scores["phrases_partial"] == partial
