"""GutBrainIE 2026: plain scorers, laws, texts in parts, and documents of mentions and relations."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from plain import gutbrainie26_script as script

import clineval
from clineval import Document, InputError
from clineval.challenges.gutbrainie26 import definition as plain
from clineval.challenges.gutbrainie26.documents import read_documents, write_documents
from clineval.formats.parts import ROOM
from clineval.results.registry import find_challenge

NAME = "gutbrainie26"
CONFIGS = ("ner", "nerd", "mention_relations", "concept_relations")
LABELS, PREDICATES = ("drug", "food", "DDF"), ("target", "is a")
URIS, WORDS = (
    st.sampled_from(["NA", "u:1", "u:2", None, ""]),
    st.sampled_from(["gut", "Gut", "a b"]),
)
KEYS = ("macro_precision", "macro_recall", "mean_f1", "micro_precision", "micro_recall", "micro_f1")
CORPORA = find_challenge(NAME).task.corpora
GOLD, MODEL = CORPORA / "gold.json", CORPORA / "model.json"
each_config = pytest.mark.parametrize("config", CONFIGS)
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@st.composite
def entities(draw):
    start = draw(st.integers(0, 6))
    end = start + draw(st.integers(0, 4))
    part = draw(st.sampled_from(["title", "abstract"]))
    return {
        "start_idx": start,
        "end_idx": end,
        "location": part,
        "text_span": draw(st.sampled_from(["x", "y"])),
        "label": draw(st.sampled_from(LABELS)),
        "uri": draw(URIS),
    }


@st.composite
def relations(draw, end, words):
    return {
        f"subject_{end}": draw(words),
        "subject_label": draw(st.sampled_from(LABELS)),
        "predicate": draw(st.sampled_from(PREDICATES)),
        f"object_{end}": draw(words),
        "object_label": draw(st.sampled_from(LABELS)),
    }


DOCUMENT = st.fixed_dictionaries({
    "entities": st.lists(entities(), max_size=6),
    "mention_level_relations": st.lists(relations("text_span", WORDS), max_size=4),
    "concept_level_relations": st.lists(relations("uri", URIS), max_size=4),
})  # fmt: skip
SIDE = st.dictionaries(st.sampled_from(["1", "2", "3"]), DOCUMENT, min_size=1)


def score(predictions, references, **options):
    return clineval.score(NAME, *map(json.dumps, (predictions, references)), **options)


def folded(side):
    """A side whose missing links are all NA, as the plain scorer compares them."""
    text = json.dumps(side).replace('uri": null', 'uri": "NA"').replace('uri": ""', 'uri": "NA"')
    return json.loads(text)


@each_config
@given(SIDE, SIDE)
def test_the_plain_scorer_agrees(config, gold, predicted):
    found = score(predicted, gold, config=config)
    sides = ([{"id": name, **of} for name, of in side.items()] for side in (gold, predicted))
    expected = plain.score_documents(*sides, config)
    assert {key: found[key] for key in expected} == pytest.approx(expected)


@each_config
@given(SIDE, SIDE)
def test_a_plain_program_agrees(config, gold, predicted):
    gold, predicted = folded(gold), folded(predicted)
    predicted = {name: document for name, document in predicted.items() if name in gold}
    if not any(document[plain.LISTS[config]] for document in gold.values()):
        with pytest.raises(InputError, match="divides by zero"):
            score(predicted, gold, config=config, protocol="official")
        return
    found = score(predicted, gold, config=config, protocol="official")
    assert [found[key] for key in KEYS] == pytest.approx(script.run(gold, predicted, config))


@each_config
@given(SIDE, SIDE, st.randoms(use_true_random=False))
def test_the_order_of_documents_and_lists_makes_no_difference(config, gold, predicted, random):
    before = score(predicted, gold, config=config)
    sides = []
    for side in (predicted, gold):
        moved = {
            name: {key: random.sample(items, len(items)) for key, items in document.items()}
            for name, document in random.sample([*side.items()], len(side))
        }
        sides.append(moved)
    after = score(*sides, config=config)
    assert before.values == after.values


@given(SIDE, SIDE)
def test_the_default_has_the_scores_of_every_configuration(gold, predicted):
    whole = score(predicted, gold)
    for config in CONFIGS:
        alone = score(predicted, gold, config=config)
        keys = [key for key in alone.values if key.startswith(("micro_", "macro_", "mean_"))]
        assert {key: whole[f"{config}_{key}"] for key in keys} == {key: alone[key] for key in keys}


@each_config
@given(SIDE, SIDE)
def test_counts_are_swapped_with_the_sides(config, gold, predicted):
    one, other = score(predicted, gold, config=config), score(gold, predicted, config=config)
    assert [one[f"micro_{of}"] for of in ("tp", "fp", "fn")] == [
        other[f"micro_{of}"] for of in ("tp", "fn", "fp")
    ]
    assert one["macro_precision"] == pytest.approx(other["macro_recall"])
    assert one["mean_f1"] == pytest.approx(other["mean_f1"])


class TestTextsInParts:
    """The gold standard has title and abstract; predictions do not."""

    TEXTS = {"title": "Gut flora", "abstract": "Zolvanib had an effect."}  # noqa: RUF012

    def entity(self, location, start, end, label="drug"):
        place = {"start_idx": start, "end_idx": end, "location": location}
        return {**place, "text_span": "x", "label": label, "uri": "NA"}

    def count(self, found, protocol="spec"):
        gold = [self.entity("abstract", 0, 7), self.entity("title", 0, 2, "microbiome")]
        sides = {"1": {"entities": found}}, {"1": {"entities": gold, "metadata": self.TEXTS}}
        counted = score(*sides, config="ner", protocol=protocol)
        return tuple(counted[f"micro_{of}"] for of in ("tp", "fp", "fn"))

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    def test_offsets_are_those_of_the_part(self, protocol):
        found = [self.entity("abstract", 0, 7), self.entity("title", 0, 2, "microbiome")]
        assert self.count(found, protocol) == (2, 0, 0)

    def test_a_mention_outside_its_part_is_nowhere(self):
        beyond = [self.entity("title", 10, 17), self.entity("abstract", 20, 40)]
        assert self.count(beyond) == (0, 2, 2)

    def test_the_texts_come_with_the_gold_standard(self):
        gold = {"1": {"entities": [self.entity("abstract", 0, 7)], "metadata": self.TEXTS}}
        corpus = clineval.evaluate(NAME, *[json.dumps(gold)] * 2, config="ner").corpus
        assert corpus.texts == {0: "Gut flora\nZolvanib had an effect."}
        assert corpus.gold.columns.text_of_spans(0) == "10-18"

    def test_without_texts_parts_are_far_apart(self):
        gold = json.dumps({"1": {"entities": [self.entity("abstract", 0, 7)]}})
        corpus = clineval.evaluate(NAME, gold, gold, config="ner").corpus
        assert corpus.gold.columns.text_of_spans(0) == f"{ROOM}-{ROOM + 8}"

    def test_other_texts_are_rejected(self):
        gold = json.dumps({"1": {"entities": [], "metadata": self.TEXTS}})
        with pytest.raises(InputError, match="differs from title and abstract"):
            clineval.score(NAME, gold, gold, config="ner", texts={"1": "Gut flora Zolvanib"})
        whole = {"1": "\n".join(self.TEXTS.values())}
        assert clineval.score(NAME, gold, gold, config="ner", texts=whole)["n_documents"] == 1


TEXT = "Gut flora\nZolvanib had an effect on patients. Zolvanib helped patients."
MENTIONS = [
    {"id": "T1", "spans": [[10, 18]], "label": "drug", "code": "u:1"},
    {"id": "T2", "spans": [[36, 44]], "label": "human", "code": "u:2"},
    {"id": "T3", "spans": [[46, 54]], "label": "drug", "code": "u:1"},
    {"id": "T4", "spans": [[62, 70]], "label": "human"},
]


def document(*links, **more):
    relations = [{"label": label, "from": one, "to": two} for label, one, two in links]
    return {"mentions": MENTIONS, "relations": relations, "text": TEXT, **more}


class TestMentionsAndRelations:
    """Tuples are made from documents, so that a pipeline is scored without handwork."""

    @pytest.mark.parametrize(
        ("config", "counts"),
        [
            ("ner", (4, 0, 0)),
            ("nerd", (4, 0, 0)),
            ("mention_relations", (1, 1, 0)),
            ("concept_relations", (1, 2, 0)),
        ],
    )
    @pytest.mark.parametrize("as_objects", [False, True])
    def test_relations_are_tuples_of_words_or_codes(self, config, counts, as_objects):
        """The same words twice are one tuple; but T4 has no code."""
        gold = document(("target", "T1", "T2"))
        found = document(("target", "T1", "T2"), ("target", "T3", "T4"), ("affect", "T1", "T2"))
        if as_objects:
            gold, found = (
                Document(
                    "d",
                    [clineval.Mention.from_dict(mention) for mention in each["mentions"]],
                    each["text"],
                    [clineval.Relation.from_dict(relation) for relation in each["relations"]],
                )
                for each in (gold, found)
            )
        counted = clineval.score(NAME, [found], [gold], config=config)
        assert tuple(counted[f"micro_{of}"] for of in ("tp", "fp", "fn")) == counts

    def test_a_relation_may_connect_a_mention_with_itself(self):
        both = [document(("is a", "T1", "T1"))]
        assert clineval.score(NAME, both, both, config="mention_relations")["micro_tp"] == 1

    def test_predictions_take_the_text_of_the_gold_standard(self):
        gold, found = (document(("target", "T1", "T2"), id="d") for _ in range(2))
        del found["text"]
        assert clineval.score(NAME, [found], [gold], config="mention_relations")["micro_f1"] == 1
        del gold["text"]
        with pytest.raises(InputError, match=r"document d: relations are compared by the words"):
            clineval.score(NAME, [found], [gold], config="mention_relations")
        assert clineval.score(NAME, [found], [gold], config="concept_relations")["micro_f1"] == 1
        texts = {"d": TEXT}
        given = clineval.score(NAME, [found], [gold], config="mention_relations", texts=texts)
        assert given["micro_f1"] == 1

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @pytest.mark.parametrize("config", ["default", *CONFIGS])
    def test_files_and_documents_have_the_same_scores(self, config, protocol):
        gold, found = (read_documents(path) for path in (GOLD, GOLD))
        of_files = clineval.score(NAME, MODEL, GOLD, config=config, protocol=protocol)
        mixed = clineval.score(NAME, MODEL, gold, config=config, protocol=protocol)
        assert mixed.values == of_files.values
        back = clineval.score(NAME, found, GOLD, config=config, protocol=protocol)
        rates = [value for key, value in back.values.items() if key.endswith("micro_f1")]
        assert {round(float(value), 9) for value in rates} <= {0, 1}

    def test_a_gold_standard_without_parts_does_not_fit(self, tmp_path):
        path = tmp_path / "gold.json"
        path.write_text(json.dumps({"d": {"entities": []}}))
        assert clineval.score(NAME, [document(id="d")], path, config="ner")["micro_fp"] == 4
        whole = document(id="d", text=TEXT.replace("\n", " "))
        with pytest.raises(InputError, match="offsets in each part"):
            clineval.score(NAME, [whole], path, config="ner")

    def test_documents_have_the_text_of_the_gold_standard(self):
        found = [document(text=TEXT.replace("\n", " "))]
        with pytest.raises(InputError, match="the texts of the two sides differ from offset 9"):
            clineval.score(NAME, found, [document()], config="ner")


def test_files_are_written_and_read_back(tmp_path):
    documents = read_documents(GOLD)
    path = tmp_path / "submission.json"
    write_documents(documents, path)
    assert read_documents(path) == documents
    for config in CONFIGS:
        assert clineval.score(NAME, path, GOLD, config=config)["micro_f1"] == 1


def test_relations_without_offsets_are_left_out_of_documents():
    with pytest.raises(InputError, match="expected metadata with title and abstract"):
        read_documents(MODEL)


@each_config
def test_documents_in_the_challenges_json(config):
    gold, found = (json.loads(path.read_text("utf-8")) for path in (GOLD, MODEL))
    of_files = clineval.score(NAME, MODEL, GOLD, config=config)
    dicts = [[side[name] for name in gold] for side in (found, gold)]
    assert clineval.score(NAME, *dicts, config=config).values == of_files.values
    strings = [list(map(json.dumps, side)) for side in dicts]
    assert clineval.score(NAME, *strings, config=config).values == of_files.values


def test_the_files_of_2025():
    """They have no URIs, and another name for the relations of mentions."""
    gold, found = (json.loads(path.read_text("utf-8")) for path in (GOLD, MODEL))
    for side in (gold, found):
        for each in side.values():
            each["ternary_mention_based_relations"] = each.pop("mention_level_relations")
            each.pop("concept_level_relations")
            for entity in each["entities"]:
                entity.pop("uri")
    of_files, whole = clineval.score(NAME, MODEL, GOLD), score(found, gold)
    for config in ("ner", "mention_relations"):
        assert whole[f"{config}_micro_f1"] == of_files[f"{config}_micro_f1"]
    assert whole["nerd_micro_fn"] == 0
    with pytest.raises(InputError, match="'uri' is missing"):
        score(found, gold, config="nerd")
