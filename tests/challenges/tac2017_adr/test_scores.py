"""TAC 2017 ADR: equal to plain scorers on random labels, and laws."""

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from challenges.tac2017_adr.labels import as_dict, labels, write_labels
from hypothesis import given
from hypothesis import strategies as st
from plain import tac2017_adr_script as script

import clineval
from clineval.challenges.tac2017_adr.definition import score_documents

NAME = "tac2017_adr"
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")
NAMES = st.sampled_from("abc")
CONFIGS = ("mentions", "relations", "reactions", "codes")


def corpora(**options):
    return st.dictionaries(NAMES, labels(**options), min_size=1)


def score_files(gold, system, protocol="spec", config="default", **options):
    with TemporaryDirectory() as name:
        folder = Path(name)
        sides = (
            write_labels(folder / "system", system, **options),
            write_labels(folder / "gold", gold),
        )
        return clineval.score(NAME, *sides, protocol=protocol, config=config)


def as_document(item):
    """A label as the definition takes it."""
    name, label = item
    mentions = [
        {
            "id": id_,
            "section": section,
            "label": type_,
            "spans": [[int(a), int(a) + int(n)] for a, n in zip(starts, lengths, strict=True)],
        }
        for id_, section, starts, lengths, type_ in label["mentions"]
    ]
    relations = [{"label": kind, "from": a, "to": b} for kind, a, b in label["relations"]]
    terms = [term for _, terms in label["reactions"] for term in terms]
    return {
        "id": name,
        "mentions": mentions,
        "relations": relations,
        "reactions": [string for string, _ in label["reactions"]],
        "codes": [number or name for name, number in terms],
    }


@given(corpora(), corpora())
def test_scores_are_those_of_a_plain_scorer(gold, system):
    expected = score_documents(*(list(map(as_document, side.items())) for side in (gold, system)))
    whole = score_files(gold, system)
    assert {key: whole[key] for key in expected} == pytest.approx(expected, abs=1e-12)
    for config in CONFIGS:
        own = score_files(gold, system, config=config).as_dict(numbers_only=True)
        shared = own.keys() & expected.keys()
        assert len(shared) >= 9
        assert {key: own[key] for key in shared} == {key: whole[key] for key in shared}


@given(corpora(), corpora())
def test_numbers_of_the_program_are_those_of_a_plain_scorer(gold, system):
    if not gold.keys() & system.keys():
        with pytest.raises(clineval.InputError, match="the released program stops here"):
            score_files(gold, system, "official")
        return
    expected = script.score(gold, system)
    found = score_files(gold, system, "official")
    assert {key: found[key] for key in expected} == pytest.approx(expected, abs=1e-12)


@given(corpora(), corpora(), st.sampled_from([str, lambda line: line[::-1], hash]))
def test_the_order_of_elements_and_ids_do_not_matter(gold, system, order):
    def rename(label):
        names = {id_: f"M9{k}" for k, (id_, *_) in enumerate(label["mentions"][::-1])}
        return {
            **label,
            "mentions": [(names[id_], *rest) for id_, *rest in label["mentions"]],
            "relations": [(kind, names[a], names[b]) for kind, a, b in label["relations"]],
        }

    renamed = {name: rename(label) for name, label in system.items()}
    one, other = score_files(gold, system), score_files(gold, renamed, order=order)
    assert one.as_dict() == other.as_dict()


@given(corpora(as_written=False), corpora(as_written=False))
def test_dicts_have_the_scores_of_files(gold, system):
    names = sorted(gold.keys() & system.keys())
    golds, found = ([as_dict(side[name]) for name in names] for side in (gold, system))
    gold, system = ({name: side[name] for name in names} for side in (gold, system))
    if names:
        for protocol in ("spec", "official"):
            scores = clineval.score(NAME, found, golds, protocol=protocol).as_dict(
                numbers_only=True
            )
            whole = score_files(gold, system, protocol).as_dict(numbers_only=True)
            assert scores.items() <= whole.items()
            assert not any("codes" in key for key in scores)


@given(corpora(), st.data())
def test_swapping_the_sides_swaps_precision_and_recall(gold, data):
    system = {name: data.draw(labels()) for name in gold}
    one, other = score_files(gold, system), score_files(system, gold)
    for name in ("exact", "full", "binary", "reactions", "document_codes"):
        assert one[f"{name}_precision"] == other[f"{name}_recall"]
        assert one[f"{name}_f1"] == pytest.approx(other[f"{name}_f1"])


def test_the_sets_are_a_protocol_for_others():
    sets = clineval.RelatedSets(("REACTION", "SEVERITY"), ("EFFECT",))
    task = clineval.Task("links", "Links", "https://x.org/", definition="d", file=__file__)
    mentions = [
        {"id": "a", "spans": [[0, 4]], "label": "REACTION"},
        {"id": "b", "spans": [[5, 9]], "label": "SEVERITY"},
    ]
    gold = [{"mentions": mentions, "relations": [{"label": "EFFECT", "from": "a", "to": "b"}]}]
    found = [{**gold[0], "mentions": [mentions[0], {**mentions[1], "label": "REACTION"}]}]
    scores = clineval.score(clineval.Challenge(task, {"spec": sets}), found, gold)
    assert (scores["exact_f1"], scores["full_f1"], scores["full_untyped_f1"]) == (0.5, 0, 1)
    with pytest.raises(clineval.InputError, match="relations: expected at least one"):
        clineval.RelatedSets(("REACTION",), ())
