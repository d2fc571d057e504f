"""TAC 2017 ADR: unusual labels in the evaluation program, and by the definition."""

import pytest
from conftest import DATA

import clineval
from clineval import InputError, InputWarning

NAME = "tac2017_adr"
CASES = DATA / "oracle" / NAME / "cases"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
REFUSED = {
    "a16": r"A\.xml:8: str differs from the text at these offsets",
    "a17": r"A\.xml:8: unknown type 'Drug', expected one of AdverseReaction, Severity",
    "a18": r"A\.xml:8: start: expected whole numbers, with commas between them",
    "a19": r"A\.xml:9: an earlier element has this id",
    "a20": r"A\.xml:8: id: expected an id that begins with M",
    "a21": r"A\.xml:8: section: no section has this id",
    "a42": r"A\.xml:15: unknown type 'Severity', expected one of Hypothetical, Effect, Negated",
    "a43": r"A\.xml:15: arg2: no mention has this id",
    "a44": r"A\.xml:15: the relation connects a mention with itself",
    "a45": r"A\.xml:15: id: expected an id that begins with RL",
    "a53": r"A\.xml:14: expected meddra_pt, or the flag unmapped",
    "a63": r"A\.xml:13: str: expected a reaction in lower case",
    "a64": r"A\.xml:16: an earlier element has this id",
    "a65": r"A\.xml:14: id: expected the id of a reaction, \.N and a number",
}
"""The errors of a gold standard with an invalid element."""
SPURIOUS = {
    **dict.fromkeys(("a16", "a17", "a18", "a20", "a21"), ("exact", (0, 1, 1))),
    "a19": ("exact", (1, 1, 0)),
    **dict.fromkeys(("a42", "a43", "a44", "a45"), ("binary", (0, 1, 1))),
    "a53": ("codes", (0, 1, 1)),
    "a63": ("reactions", (0, 1, 1)),
    "a64": ("reactions", (1, 1, 0)),
    "a65": ("codes", (0, 1, 1)),
}
"""The counts if such an element is predicted."""


def folder_of(case):
    [folder] = CASES.glob(f"{case}_*")
    return folder


def score(case, protocol="spec", *, swapped=False, config="default"):
    sides = folder_of(case) / "system", folder_of(case) / "gold"
    sides = sides[::-1] if swapped else sides
    return clineval.score(NAME, *sides, protocol=protocol, config=config)


def count(case, key, protocol="spec", *, swapped=False):
    scores = score(case, protocol, swapped=swapped)
    return tuple(scores[f"{key}_{verdict}"] for verdict in ("tp", "fp", "fn"))


@pytest.mark.parametrize(
    ("case", "key", "spec", "official"),
    [
        ("a06", "exact", (1, 0, 0), (0, 1, 1)),
        ("a08", "exact", (1, 0, 0), (0, 1, 1)),
        ("a25", "exact", (1, 0, 2), (1, 0, 0)),
        ("a26", "exact", (1, 2, 0), (1, 0, 0)),
        ("a62", "reactions", (1, 0, 1), (1, 0, 0)),
        ("a36", "full", (1, 0, 0), (1, 0, 1)),
        ("a37", "full", (1, 0, 0), (0, 1, 2)),
        ("a41", "full", (1, 0, 0), (0, 1, 1)),
        ("a39", "full_untyped", (1, 0, 0), (0, 1, 1)),
        ("a14", "exact", (1, 1, 1), (2, 0, 0)),
    ],
)
def test_where_the_protocols_differ(case, key, spec, official):
    assert count(case, key) == spec
    assert count(case, key, "official") == official


@pytest.mark.parametrize(
    ("case", "key", "both"),
    [
        ("a07", "exact", (0, 1, 1)),
        ("a09", "exact", (1, 0, 0)),
        ("a10", "exact_untyped", (1, 0, 0)),
        ("a11", "exact", (0, 1, 1)),
        ("a12", "exact", (1, 0, 0)),
        ("a30", "full", (0, 1, 1)),
        ("a30", "binary", (1, 0, 1)),
        ("a31", "full", (0, 1, 1)),
        ("a35", "full", (1, 0, 0)),
        ("a38", "full", (0, 0, 1)),
        ("a57", "codes", (0, 0, 0)),
        ("a57", "reactions", (1, 0, 0)),
        ("a58", "codes", (1, 0, 0)),
        ("a59", "codes", (0, 0, 1)),
    ],
)
def test_where_they_agree(case, key, both):
    assert count(case, key) == count(case, key, "official") == both


def test_a_missing_label_has_f1_0_in_the_mean():
    assert score("a62")["document_reactions_f1"] == 0.5
    assert score("a62", "official")["document_reactions_f1"] == 1


def test_labels_without_reactions_are_left_out_of_the_mean():
    for config in ("default", "reactions"):
        assert score("a61", config=config)["document_reactions_f1"] == 1
        assert score("a61", "official", config=config)["document_reactions_f1"] == 0.5
    both = [score("a60", protocol)["document_reactions_f1"] for protocol in ("spec", "official")]
    assert both == [pytest.approx((1 / 2 + 2 / 3) / 2)] * 2


def test_a_term_can_belong_to_another_string():
    assert count("a55", "codes", "official") == (2, 0, 0)
    assert count("a55", "codes") == (1, 0, 0)  # both terms have one number


def test_terms_are_compared_by_number_and_in_the_program_by_name(tmp_path):
    assert count("a52", "codes") == (0, 1, 1)
    assert count("a52", "codes", "official") == (1, 0, 0)
    assert count("a54", "codes") == (1, 0, 0)  # both have the number of the term
    assert count("a54", "codes", "official") == (0, 1, 1)
    for side in ("gold", "system"):
        text = (folder_of("a54") / side / "A.xml").read_text()
        (tmp_path / side).mkdir()
        (tmp_path / side / "A.xml").write_text(text.replace(' meddra_pt_id="10000001"', ""))
    for protocol in ("spec", "official"):
        scores = clineval.score(NAME, tmp_path / "system", tmp_path / "gold", protocol=protocol)
        assert scores["codes_tp"] == 0


def test_a_relation_that_occurs_twice_counts_once():
    assert count("a40", "binary") == count("a40", "full") == (1, 0, 0)
    with pytest.raises(InputError, match=r"A\.xml:16: the relation occurs twice: the released"):
        score("a40", "official")


def test_mentions_without_str_are_checked_by_their_offsets():
    assert count("a13", "binary") == (1, 0, 0)
    with pytest.raises(InputError, match=r"A\.xml:12: arg2: no mention has this id: the released"):
        score("a13", "official")
    with pytest.warns(InputWarning, match=r"1 prediction is invalid .*: system/A\.xml:8"):
        assert count("a15", "exact") == count("a15", "exact", "official") == (1, 1, 0)
    with pytest.raises(InputError, match=r"A\.xml:8: offset 906 is outside the S1"):
        score("a15", swapped=True)
    assert count("a15", "exact", "official", swapped=True) == (1, 0, 1)


@pytest.mark.parametrize("case", REFUSED)
def test_invalid_elements_are_refused_in_gold_and_spurious_in_predictions(case):
    with pytest.raises(InputError, match=REFUSED[case]):
        score(case, swapped=True)
    key, counts = SPURIOUS[case]
    with pytest.warns(InputWarning, match=r"1 prediction is invalid and counts as spurious"):
        assert count(case, key) == counts
    for swapped in (False, True):
        with pytest.raises(InputError, match="the released program stops here"):
            score(case, "official", swapped=swapped)


@pytest.mark.parametrize(
    ("case", "problem"),
    [
        ("a22", r"A\.xml:4: unknown section 'indications'"),
        ("a23", "document A: the texts of the two sides differ from offset"),
        ("a24", "document A: the texts of the two sides differ from offset"),
        ("a67", r"A\.xml:2: expected the elements Text, Mentions, Relations, Reactions, in this"),
        ("a68", r"A\.xml:2: expected the elements Text, Mentions, Relations, Reactions, in this"),
        ("a71", r"A\.xml:2: expected the root Label"),
    ],
)
def test_files_with_other_sections_or_elements_are_refused(case, problem):
    for protocol in ("spec", "official"):
        for config in ("default", "mentions"):
            with pytest.raises(InputError, match=problem):
                score(case, protocol, config=config)


def test_without_a_common_document_the_program_stops():
    assert count("a27", "exact") == (0, 1, 1)
    for config in ("default", "reactions", "codes"):
        with pytest.raises(InputError, match="no document is on both sides: the released program"):
            score("a27", "official", config=config)


def test_an_invalid_relation_needs_a_mention_of_its_document(tmp_path):
    text = (folder_of("a43") / "system" / "A.xml").read_text()
    head, _, rest = text.partition("  <Mentions>\n")
    bare = f"{head}  <Mentions>\n{rest[rest.index('  </Mentions>') :]}"
    (tmp_path / "A.xml").write_text(bare)
    with pytest.raises(InputError, match=r"A\.xml:10: a relation, although there are no mentions"):
        clineval.score(NAME, tmp_path, folder_of("a43") / "gold")
