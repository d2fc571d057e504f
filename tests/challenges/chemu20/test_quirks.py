"""ChEMU 2020: each rule on which the definition and brateval differ, on a file that shows it."""

import pytest
from commands import invoke
from conftest import DATA
from laws import refuses

import clineval
from clineval import InputError

NAME = "chemu20"
CASES = DATA / "oracle" / NAME / "cases"
TYPE_NAMES = {"X": "SOLVENT", "Y": "TIME"}
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(case, config, protocol, **options):
    sides = CASES / case / "system", CASES / case / "gold"
    return clineval.score(NAME, *sides, config=config, protocol=protocol, **options)


def counts(case, config, protocol, match, **options):
    scores = score(case, config, protocol, **options)
    return tuple(scores[f"{match}_{name}"] for name in ("tp", "fp", "fn"))


RIGHT, WRONG = (1, 0, 0), (0, 1, 1)
DIFFERENT = [
    # case, configuration, match, options, by the definition, by the program
    ("b08_gold_fragments_in_system", "entities", "exact", {}, WRONG, RIGHT),
    ("b13_overlap_takes_any", "entities", "overlap", {}, (2, 0, 0), (1, 1, 1)),
    ("b15_order_of_ids_is_a_hash", "entities", "overlap", {}, (2, 0, 0), (1, 1, 1)),
    ("b07_repeats", "entities", "exact", {}, RIGHT, (1, 1, 0)),
    ("b56_relation_repeat", "relations", "exact", {}, RIGHT, (1, 1, 0)),
    ("b22_approx_rounding", "entities", "approx", {}, RIGHT, WRONG),
    ("b33_no_text_column", "entities", "exact", {}, None, (1, 0, 1)),
    ("b34_tab_in_text", "entities", "exact", {}, None, (1, 1, 0)),
    ("b39_indented_line", "entities", "exact", {}, RIGHT, (0, 0, 1)),
    ("b59_relation_three_words", "relations", "exact", {}, None, (0, 0, 1)),
    ("b35_id_twice", "entities", "exact", {}, None, WRONG),
    ("b40_zero_length", "entities", "overlap", {}, None, (2, 0, 0)),
    ("b30_document_missing_crash", "entities", "exact", {}, (1, 0, 1), None),
    ("b62_relation_document_missing_crash", "relations", "exact", {}, RIGHT, None),
    ("b31_document_extra", "entities", "exact", {}, (1, 1, 0), RIGHT),
    ("b57_relation_role_names", "relations", "exact", {}, None, RIGHT),
    ("b55_relation_inexact_types", "relations", "exact", {"types": "any"}, RIGHT, WRONG),
    ("b72_hier_without_config", "entities", "exact", {"types": "hier"}, None, WRONG),
]


@pytest.mark.parametrize(
    ("case", "config", "match", "options", "spec", "official"), DIFFERENT, ids=str
)
def test_both_protocols_differ(case, config, match, options, spec, official):  # noqa: PLR0913, PLR0917
    for protocol, expected in (("spec", spec), ("official", official)):
        if expected is None:
            with pytest.raises(InputError):
                score(case, config, protocol, **options)
        else:
            assert counts(case, config, protocol, match, **options) == expected, protocol


ALIKE = [
    ("b01_identical", "entities", "exact", RIGHT),
    ("b02_type", "entities", "exact", WRONG),
    ("b03_text_not_compared", "entities", "exact", RIGHT),
    ("b05_touching", "entities", "overlap", WRONG),
    ("b09_system_fragments_in_gold", "entities", "exact", WRONG),
    ("b10_fragments_order", "entities", "exact", RIGHT),
    ("b11_fragments_overlap", "entities", "overlap", RIGHT),
    ("b12_gap_is_no_overlap", "entities", "overlap", WRONG),
    ("b14_overlap_ids_swapped", "entities", "overlap", (2, 0, 0)),
    ("b61_relation_two_candidates", "relations", "overlap", (2, 0, 0)),
    ("b16_type_before_place", "entities", "overlap", (1, 1, 0)),
    ("b20_approx", "entities", "approx", RIGHT),
    ("b21_approx_too_far", "entities", "approx", WRONG),
    ("b23_approx_needs_overlap", "entities", "approx", WRONG),
    ("b24_approx_case", "entities", "approx", WRONG),
    ("b25_approx_exact_span_any_text", "entities", "approx", RIGHT),
    ("b26_approx_text_of_the_file", "entities", "approx", RIGHT),
    ("b52_relation_direction", "relations", "exact", WRONG),
    ("b55_relation_inexact_types", "relations", "exact", WRONG),
    ("b60_relation_same_id_other_entities", "relations", "exact", RIGHT),
]


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize(("case", "config", "match", "expected"), ALIKE, ids=str)
def test_both_protocols_agree(case, config, match, expected, protocol):
    assert counts(case, config, protocol, match) == expected


@pytest.mark.parametrize("case", ["b36_offset_word_crash", "b37_no_end_crash"])
@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_offsets_that_are_no_numbers_are_rejected(case, protocol):
    refuses(lambda: score(case, "entities", protocol), "a.ann:1")


@pytest.mark.parametrize("protocol", ["spec", "official"])
def test_an_argument_that_is_missing_is_rejected(protocol):
    case = "b58_relation_argument_missing_crash"
    refuses(lambda: score(case, "relations", protocol), "a.ann:3")
    assert counts(case, "entities", "official", "exact") == (2, 0, 0)


def test_an_equal_label_is_preferred_if_labels_do_not_matter(tmp_path):
    """Case b17 with labels that are scored separately."""
    for side in ("gold", "system"):
        text = (CASES / "b17_inexact_takes_wrong_type_first" / side / "a.ann").read_text()
        for short, name in TYPE_NAMES.items():
            text = text.replace(f"\t{short} ", f"\t{name} ")
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.ann").write_text(text)
    sides = tmp_path / "system", tmp_path / "gold"
    for protocol, spurious in (("spec", "time"), ("official", "solvent")):
        scores = clineval.score(NAME, *sides, config="entities", types="any", protocol=protocol)
        assert (scores["exact_tp"], scores["exact_fp"]) == (1, 1)
        assert scores[f"{spurious}_exact_fp"] == 1


def test_sums_include_all_labels():
    """The program leaves out those that annotation.conf lists."""
    folder = CASES / "b70_config"
    sides = ["-e", str(folder / "system"), "-g", str(folder / "gold")]
    config = ["-config", str(folder / "annotation.conf")]
    done = invoke(["official", "brateval", "CompareEntities", *sides, *config])
    assert "\nall|1|0|0|" in done.stdout
    assert counts("b70_config", "entities", "spec", "exact") == (2, 1, 0)


def test_types_of_a_hierarchy():
    options = {"types": "hier", "taxonomy": CASES / "b71_config_hierarchy" / "annotation.conf"}
    for protocol in ("spec", "official"):
        found = counts("b71_config_hierarchy", "entities", protocol, "exact", **options)
        assert found == (2, 1, 1)
    refuses(
        lambda: score("b72_hier_without_config", "entities", "spec", types="hier"),
        "types='hier' needs to know", "taxonomy",
    )  # fmt: skip


def test_subfolders_are_not_read_and_the_command_reads_them_for_entities():
    folder = CASES / "b41_subfolder"
    with pytest.raises(InputError, match="expected files"):
        score("b41_subfolder", "entities", "spec")
    sides = ["-e", str(folder / "system"), "-g", str(folder / "gold")]
    for program, printed in (("Entities", "\nall|2|0|0|"), ("Relations", "\nall|tp:0|fp:0|fn:0|")):
        assert printed in invoke(["official", "brateval", f"Compare{program}", *sides]).stdout
