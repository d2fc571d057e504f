"""DrugProt: each rule on which the protocols differ, on a file for which they do.

The cases have a document 900 with one right relation, which is taken off here.
"""

import warnings

import pytest
from conftest import DATA

import clineval
from clineval import InputError

CASES = DATA / "oracle" / "drugprot21" / "cases"
REFUSED = None
COUNTS = {
    "d10_shared_slot_two_golds": ((1, 0, 0), (2, 0, 0)),
    "d11_shared_slot_false_tp": ((1, 0, 0), (0, 1, 1)),
    "d12_shared_slot_hidden_fn": ((1, 0, 0), (1, 0, 1)),
    "d14_shared_slot_over_a_document_without_pairs": ((1, 0, 0), (0, 1, 1)),
    "d15_documents_in_order_of_strings": ((1, 0, 0), (0, 1, 1)),
    "d16_documents_with_one_pair": ((1, 0, 0), (0, 1, 3)),
    "d21_gold_outside_the_list": ((1, 0, 1), (1, 0, 0)),
    "d22_list_is_stripped_predictions_are_not": ((1, 0, 1), (2, 0, 0)),
    "d23_document_without_entities": ((1, 0, 0), REFUSED),
    "d24_unknown_type_predicted": ((0, 0, 1), (0, 2, 1)),
    "d25_unknown_type_gold": ((1, 0, 0), REFUSED),
    "d26_entity_not_there": ((1, 0, 0), (1, 1, 0)),
    "d27_two_genes": ((1, 0, 0), (1, 1, 0)),
    "d28_two_lines_of_genes": ((1, 0, 0), (1, 2, 0)),
    "d29_two_chemicals": ((1, 0, 0), (1, 1, 0)),
    "d30_bad_line_in_gold": ((1, 0, 0), REFUSED),
    "d31_gene_types_of_training": ((1, 1, 0), (1, 1, 2)),
    "d32_entity_line_twice": ((2, 0, 1), (1, 0, 1)),
    "d33_entities_in_two_blocks": ((0, 0, 0), (1, 0, 0)),
    "d34_same_id_two_types": ((0, 0, 0), REFUSED),
    "d47_quotes": ((1, 0, 2), (1, 2, 2)),
}  # fmt: skip
"""A case to tp, fp and fn of ``official`` and of ``spec``."""
ALIKE = {
    "d01_identical": (1, 0, 0),
    "d02_other_type": (0, 1, 1),
    "d03_other_pair": (0, 1, 1),
    "d04_two_types_on_a_pair": (1, 1, 1),
    "d05_repeated_lines": (1, 0, 0),
    "d06_arguments_swapped": (1, 0, 0),
    "d07_arguments_without_name": (1, 0, 0),
    "d08_swapped_and_not": (1, 0, 0),
    "d20_prediction_outside_the_list": (1, 0, 0),
    "d35_type_only_predicted": (1, 1, 0),
    "d37_crlf_and_blank_lines": (1, 1, 0),
    "d46_entity_type_warning_only": (1, 0, 0),
}
WARNED = {
    "d21_gold_outside_the_list": "1 gold relation is in documents outside the list",
    "d24_unknown_type_predicted": "2 relations have an unknown label, and count as wrong",
    "d26_entity_not_there": "1 relation does not connect two given mentions",
    "d27_two_genes": "1 relation does not connect two given mentions",
    "d29_two_chemicals": "1 relation does not connect two given mentions",
    "d20_prediction_outside_the_list": "1 relation is in documents that are not scored",
}
PLACES = {
    "d23_document_without_entities": "gs_relations.tsv:2: first id: the document has no entity",
    "d25_unknown_type_gold": "gs_relations.tsv:1: label: expected one of",
    "d30_bad_line_in_gold": "gs_relations.tsv:2: a relation does not connect CHEMICAL and GENE",
    "d34_same_id_two_types": "gs_entities.tsv:6: document 100 has another entity with this id",
    "d42_entity_columns_crash": "gs_entities.tsv:6: expected 6 columns",
    "d44_three_columns_crash": "pred_relations.tsv:2: expected 4 columns",
    "d45_five_columns": "pred_relations.tsv:1: expected 4 columns",
}


def score(name, protocol):
    folder = CASES / name
    options = {"entities": folder / "gs_entities.tsv", "pmids": folder / "pmids.txt"}
    sides = folder / "pred_relations.tsv", folder / "gs_relations.tsv"
    return clineval.score("drugprot21", *sides, protocol=protocol, **options)


def count(name, protocol):
    """The counts without the relation of document 900."""
    found = score(name, protocol)
    return found["micro_tp"] - 1, found["micro_fp"], found["micro_fn"]


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", COUNTS)
def test_a_file_for_which_the_protocols_differ(name):
    official, spec = COUNTS[name]
    assert count(name, "official") == official
    if spec is REFUSED:
        with pytest.raises(InputError):
            score(name, "spec")
    else:
        assert count(name, "spec") == spec != official


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize("name", ALIKE)
def test_a_file_for_which_they_agree(name):
    assert count(name, "official") == count(name, "spec") == ALIKE[name]


@pytest.mark.parametrize("name", WARNED)
def test_a_warning_counts_what_is_odd(name):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        score(name, "spec")
    assert any(WARNED[name] in str(each.message) for each in caught)


@pytest.mark.parametrize("name", PLACES)
def test_an_error_has_file_and_line(name):
    with pytest.raises(InputError) as caught:
        score(name, "spec")
    assert PLACES[name] in str(caught.value)


def test_a_corpus_with_one_pair_is_its_accuracy():
    official, spec = (score("d18_only_one_pair_is_accuracy", of) for of in ("official", "spec"))
    assert [official[f"micro_{key}"] for key in ("precision", "recall", "f1")] == [11 / 13] * 3
    assert spec["micro_f1"] == 0
    assert (spec["micro_fp"], spec["micro_fn"]) == (1, 1)


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("d38_no_predictions_crash", (0, 0, 1)),
        ("d39_all_predictions_elsewhere_crash", (0, 0, 1)),
        ("d40_no_known_type_predicted_crash", (0, 1, 1)),
        ("d41_no_gold_crash", (0, 1, 0)),
    ],
)
def test_nothing_left_to_score(name, counts):
    found = score(name, "spec")
    assert tuple(found[f"micro_{of}"] for of in ("tp", "fp", "fn")) == counts
    assert found["micro_f1"] == 0
    with pytest.raises(InputError):
        score(name, "official")


def test_a_blank_line_among_entities_is_ignored():
    assert count("d43_entity_blank_line_crash", "spec") == (1, 0, 0)
    with pytest.raises(InputError, match=r"gs_entities.tsv:6"):
        score("d43_entity_blank_line_crash", "official")
