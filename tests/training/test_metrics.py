"""What scores a tagger, in one go, in batches, in any order; annotations and BigBIO columns."""

from itertools import pairwise
from types import SimpleNamespace
from typing import get_args

import datasets
import evaluate
import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from training.corpora import as_coded_mentions, read_disorders, read_medications
from training.test_tags import windows_of

import clineval
from clineval.base.errors import InputError, InputWarning
from clineval.kinds.entries.entry import FIELDS
from clineval.kinds.mentions.tags import Scheme
from clineval.results.registry import NAMES, find_challenge
from clineval.training import (
    Annotation,
    TagSet,
    as_entries,
    as_sections,
    compute_metrics_for,
    from_bigbio,
    from_entries,
    from_mentions,
    text_of,
)

METRIC = "semeval15_task14"
BUILDS = [
    name
    for name in NAMES
    for kind in [find_challenge(name).kind]
    if "trainer" not in kind.lacks and kind.name != "classes"
]
DISORDERS = read_disorders()
WINDOWS = windows_of(DISORDERS.texts, width=40, stride=10)
TAGS = TagSet.of(["Disorder"], "biohd")
GOLD_TAGS = WINDOWS.encode(DISORDERS.annotations, TAGS)
NOISY = np.where(np.random.default_rng(5).random(GOLD_TAGS.shape) < 0.2, 0, GOLD_TAGS)


def make(**options):
    return compute_metrics_for(
        METRIC, WINDOWS, DISORDERS.references, TAGS,
        build=as_coded_mentions(DISORDERS), **options,
    )  # fmt: skip


def prediction(rows, tags=NOISY):
    return SimpleNamespace(predictions=tags[rows], label_ids=GOLD_TAGS[rows])


def test_it_is_the_score_of_the_documents_against_annotations_not_tags():
    metrics = make()
    scores = metrics(prediction(slice(None)))
    documents = metrics.documents(NOISY)
    expected = clineval.score(METRIC, documents, DISORDERS.references)
    assert scores == expected.values
    assert all(type(value) is float for value in scores.values())
    assert str(metrics.score.signature) == str(expected.signature)
    computed = evaluate.load(METRIC).compute(predictions=documents, references=DISORDERS.references)
    assert computed["strict_f1"] == scores["strict_f1"] > 0.3
    # what the tags cannot express is missed even by the gold tags
    ceiling = make()(prediction(slice(None), GOLD_TAGS))
    assert 0.85 < ceiling["span_f1"] < 1


def test_batches_in_order_and_rows_in_any_order_give_the_same():
    whole, metrics = make()(prediction(slice(None))), make()
    bounds = [*range(0, len(WINDOWS), 7), len(WINDOWS)]
    for _ in range(2):  # an evaluation forgets the one before
        for start, end in pairwise(bounds):
            last = end == len(WINDOWS)
            result = metrics(prediction(slice(start, end)), compute_result=last)
            assert result == (whole if last else {})
    rows = np.random.default_rng(1).permutation(len(WINDOWS))
    metrics.add(NOISY[rows[:9]], rows[:9])
    metrics.add(NOISY[rows[5:]], rows[5:])  # some come twice
    assert metrics.compute() == whole
    metrics.add(NOISY)
    assert metrics.compute() == whole


def test_outputs_padded_to_any_width_and_beside_other_outputs():
    padded = np.pad(NOISY, ((0, 0), (0, 5)), constant_values=-100)
    outputs = np.eye(len(TAGS.tags))[np.where(padded < 0, 0, padded)]
    given = SimpleNamespace(predictions=(outputs, "hidden states"), label_ids=None)
    assert make()(given) == make()(prediction(slice(None)))


def test_config_protocol_and_options_reach_the_metric():
    metrics = make(config="task1", protocol="official", overlap="character")
    metrics(prediction(slice(None)))
    assert str(metrics.score.signature).startswith(f"{METRIC}|task1|protocol:official")


def test_windows_that_are_missing_too_many_or_others_are_named():
    metrics = make()
    with pytest.raises(InputError, match=r"window 3: .*1 of|windows have no prediction"):
        metrics(prediction(slice(0, 3)))
    with pytest.raises(InputError, match="whole data set"):
        metrics(prediction([*range(len(WINDOWS)), 0]))
    short = int(np.argmin(WINDOWS.is_token.sum(axis=1)))
    others = [k for k in range(len(WINDOWS)) if k != short]
    with pytest.raises(InputError, match="grouping by length"):
        metrics(prediction([*others[:short], others[0], *others[short:]]))
    with pytest.raises(InputError, match="shorter than their windows"):
        metrics.add(NOISY[:, :5])
    assert metrics(prediction(slice(None))) == make()(prediction(slice(None)))


def test_a_metric_that_is_not_scored_on_tags_is_refused():
    with pytest.raises(InputError, match="semeval15_task14"):
        compute_metrics_for("clefehealth13_task3", WINDOWS, [], TAGS)


def test_entries_come_back_from_their_annotations():
    records = read_medications()
    for text, gold, annotations in zip(*records, strict=True):
        by_words = {(a.label, a.spans) for a in annotations}
        built = as_entries(annotations, text)
        assert {(a.label, a.spans) for a in from_entries(built, text)} == by_words
        texts = {e[field]["text"] for e in gold for field in FIELDS if field in e}
        assert {e[field]["text"].lower() for e in built for field in e} >= {
            text.lower() for text in texts if " ... " not in text
        }


def test_fields_go_to_the_nearest_medication_within_two_lines():
    text = "Lasix 80 mg iv\naspirin daily\n\n\nfar away : po"
    words = {word: (text.index(word), text.index(word) + len(word)) for word in text.split()}

    def found(word, label):
        return Annotation((words[word],), label)

    entries = as_entries(
        [found("Lasix", "m"), found("80", "do"), found("mg", "do"), found("aspirin", "m"),
         found("daily", "f"), found("po", "mo")],
        text,
    )  # fmt: skip
    shown = [{field: entry[field]["text"] for field in entry} for entry in entries]
    assert shown == [
        {"m": "Lasix", "do": "80"}, {"m": "Lasix", "do": "mg"}, {"m": "aspirin", "f": "daily"},
    ]  # fmt: skip
    assert entries[2]["f"]["offsets"] == [[2, 1, 2, 1]]
    assert as_entries([found("po", "mo")], text) == []


def test_sections_score_where_they_begin():
    text = "Abdomen blando. Se pauta reposo."
    gold = [{"text": text, "sections": [
        {"start": 0, "end": 15, "label": "EXPLORATION"},
        {"start": 16, "end": 32, "label": "TREATMENT"},
    ]}]  # fmt: skip
    annotations = [Annotation(((0, 15),), "EXPLORATION"), Annotation(((16, 32),), "TREATMENT")]
    assert clineval.score("clinais23_b2", [as_sections(annotations, text)], gold)["b"] == 1.0
    windows = windows_of([text])
    tags = TagSet.of(["EXPLORATION", "TREATMENT"], "bilou")
    metrics = compute_metrics_for("clinais23_b2", windows, gold, tags)
    metrics.add(windows.encode([annotations], tags))
    assert metrics.compute()["b2"] == 1.0


LABELS = {
    "clinais23_b2": ["PLAN", "OTHER"],
    "i2b2_2009_medication": ["m", "do", "r"],
    "i2b2_2010": ["problem", "test"],
    "bc5cdr": ["Disease", "Chemical"],
    "ncbi_disease": ["Disease"] * 2,
    "medmentions": ["T047", "T033"],
    "livingner22": ["SPECIES", "HUMAN"],
    "n2c2_2022_cmed": ["Disposition", "Undetermined"],
    "cantemist20": ["MORFOLOGIA_NEOPLASIA"] * 2,
    "distemist22": ["ENFERMEDAD"] * 2,
    "toxhabits25": ["Tobacco", "Alcohol"],
    "medprocner23": ["PROCEDIMIENTO"] * 2,
    "symptemist23": ["SINTOMA"] * 2,
    "multicardioner24": ["ENFERMEDAD", "FARMACO"],
    "multiclinai26": ["DISEASE", "SYMPTOM"],
}


@pytest.mark.filterwarnings("ignore:.* not occur in the references:clineval.InputWarning")
@pytest.mark.parametrize("module", BUILDS)
@given(
    st.lists(st.text(st.sampled_from("ab().- \n"), max_size=30), min_size=1, max_size=3),
    st.sampled_from(get_args(Scheme)),
    st.randoms(use_true_random=False),
)
def test_whatever_a_model_predicts_is_scored(module, texts, scheme, random):
    assume(module != "i2b2_2010" or scheme != "biohd")  # its items have one fragment
    labels = LABELS.get(module, ["Disorder"])
    options = {"labels": labels} if module == "clinais23_b2" else {}
    windows, tags = windows_of(texts, width=6, stride=2), TagSet.of(sorted({*labels}), scheme)
    gold = [as_sections([], text) if module == "clinais23_b2" else [] for text in texts]
    metrics = compute_metrics_for(module, windows, gold, tags, **options)
    metrics.add(
        [random.choices(range(len(tags.tags)), k=windows.starts.shape[1]) for _ in windows.document]
    )
    assert metrics.compute()["n_documents"] == len(texts)


def test_fragments_in_one_token_are_one_and_sections_in_one_word_too():
    text = "(80mg) daily\nmore"
    [entry] = as_entries([Annotation(((0, 1), (3, 5), (7, 12)), "m")], text)
    assert entry["m"]["offsets"] == [[1, 0, 1, 0], [1, 1, 1, 1]]
    found = [Annotation(((1, 3),), "A"), Annotation(((3, 9),), "B"), Annotation(((7, 17),), "C")]
    assert as_sections(found, text)["sections"] == [
        {"start": 0, "end": 3, "label": "A"}, {"start": 7, "end": 17, "label": "C"},
    ]  # fmt: skip


def test_a_phrase_that_ends_in_an_empty_token_finds_back_to_it():
    entries = [{"m": {"text": "lasix", "offsets": [[1, 1, 1, 2]]}}]
    [annotation] = from_entries(entries, "on lasix  daily")
    assert annotation.spans == ((3, 10),)
    [entry] = as_entries([annotation], "on lasix  daily")
    assert entry["m"]["offsets"] == [[1, 1, 1, 2]]


def test_documents_as_objects_and_labels_by_mention():
    document = clineval.Document("a", [clineval.Mention([(4, 8)], "C1", {"negation": "yes"})])
    [annotation] = from_mentions(document, lambda mention: mention["negation"])
    assert annotation == Annotation(((4, 8),), "yes")


ENTITIES = [
    {"id": "1", "type": "Disease_Disorder", "text": ["left", "pain"], "offsets": [[9, 13], [0, 4]],
     "normalized": [{"db_name": "UMLS", "db_id": "C1"}, {"db_name": "SNOMED", "db_id": "7"}]},
    {"id": "2", "type": "Body", "text": ["leg"], "offsets": [[14, 17]], "normalized": []},
]  # fmt: skip
ROW = {"id": "a", "document_id": "a", "passages": [], "entities": ENTITIES}


class TestBigBio:
    """Rows of a data set in the BigBIO KB schema."""

    @pytest.mark.parametrize("as_columns", [False, True], ids=["dicts", "columns"])
    def test_mentions(self, as_columns):
        row = ROW
        if as_columns:  # as datasets before version 4 gave them
            flat = [
                {**e, "normalized": _columns(e["normalized"], "db_name", "db_id")} for e in ENTITIES
            ]
            row = {**ROW, "entities": _columns(flat, *ENTITIES[0])}
        found = from_bigbio([row], types=["Disease_Disorder"], databases=["UMLS"])
        assert found == [[{"spans": [[0, 4], [9, 13]], "cui": "C1"}]]
        assert from_bigbio([row], databases=[], types=["Body"]) == [
            [{"spans": [[14, 17]], "cui": None}]
        ]
        assert clineval.score("clefehealth13_task1", found, found)["strict_accuracy"] == 1.0

    @pytest.mark.filterwarnings("ignore:.*linked to the nearest:clineval.InputWarning")
    @pytest.mark.parametrize("module", [*BUILDS, "clefehealth13_task2"])
    @pytest.mark.filterwarnings("ignore:1 document has no text")
    def test_a_real_data_set_is_what_the_evaluate_module_takes(self, module):
        text = "pain 80 mg left leg"
        types = {**LABELS, "i2b2_2009_medication": ["medication", "do"]}
        entities = [
            {**entity, "type": label}
            for entity, label in zip(ENTITIES, types.get(module, ["A", "B"]), strict=True)
        ]
        if module == "i2b2_2010":  # its items have one fragment
            entities[0] |= {"text": ["left"], "offsets": [[9, 13]]}
        passages = [{"id": "p", "type": "note", "text": [text], "offsets": [[0, len(text)]]}]
        row = {**ROW, "passages": passages, "entities": entities}
        data = datasets.Dataset.from_list([row, {**row, "entities": []}])
        gold = from_bigbio(data, module, databases=["UMLS"])
        predictions = [codes[0] for codes in gold] if module == "clefehealth13_task2" else gold
        options = {"labels": types[module]} if module == "clinais23_b2" else {}
        scores = evaluate.load(module).compute(predictions=predictions, references=gold, **options)
        main = (
            "strict_f1", "exact_f1", "exact_horizontal_system_f1", "b2", "strict_accuracy",
            "concepts_strict_f1", "mentions_f1", "events_strict_f1",
        )  # fmt: skip
        assert next(scores[key] for key in main if key in scores) == 1.0
        if module != "clefehealth13_task2":
            assert scores["n_documents"] == 2

    def test_several_codes_are_not_dropped_in_silence(self):
        with pytest.warns(InputWarning, match="1 entity has several codes"):
            from_bigbio([ROW])

    def test_lists_of_codes(self):
        found = from_bigbio([ROW], "clefehealth13_task2")
        assert found == [["C1", "7"], ["CUI-less"]]

    def test_medication_entries(self):
        text = "Lasix 80 mg"
        entities = [
            {"id": "1", "type": "m", "offsets": [[0, 5]], "normalized": []},
            {"id": "2", "type": "do", "offsets": [[6, 11]], "normalized": []},
        ]
        row = {"passages": [{"text": [text], "offsets": [[0, 11]]}], "entities": entities}
        with pytest.warns(InputWarning, match="1 field is linked"):
            [[entry]] = from_bigbio([row], "i2b2_2009_medication")
        assert entry["do"] == {"text": "80 mg", "offsets": [[1, 1, 1, 2]]}

    def test_sections(self):
        passages = [
            {"id": "p2", "type": "plan", "text": ["Se pauta reposo."], "offsets": [[18, 34]]},
            {"id": "p1", "type": "exam", "text": ["Abdomen blando."], "offsets": [[0, 15]]},
        ]
        entities = [
            {**ENTITIES[1], "type": label, "offsets": [offsets]}
            for label, offsets in (("EXPLORATION", [0, 15]), ("TREATMENT", [18, 34]))
        ]
        data = datasets.Dataset.from_list([{**ROW, "passages": passages, "entities": entities}])
        [found] = from_bigbio(data, "clinais23_b2")
        assert found["text"] == text_of(data[0]) == "Abdomen blando.   Se pauta reposo."
        assert found["sections"][1] == {"start": 18, "end": 34, "label": "TREATMENT"}
        assert clineval.score("clinais23_b2", [found], [found])["b2"] == 1.0

    @pytest.mark.parametrize(
        ("row", "module", "message"),
        [
            ({"text": "..."}, METRIC, "row 0: no 'entities'"),
            ({"entities": [{"id": "1"}]}, METRIC, "row 0: no 'offsets'"),
            ({"entities": "none"}, METRIC, "expected a list of dicts"),
            ({"entities": [7]}, METRIC, "row 0: expected a list of dicts, but it contains 7"),
            (
                {"entities": {"id": ["1"], "offsets": []}},
                METRIC,
                "a dict of lists of the same length",
            ),
            ({"entities": [{**ENTITIES[1], "offsets": [["a", 4]]}]}, METRIC, "an integer offset"),
            ({"entities": [{**ENTITIES[1], "type": None}]}, METRIC, "type: expected a string"),
            (
                {"entities": ENTITIES, "passages": []},
                "clinais23_b2",
                "ends at 17, but its text has 0",
            ),
            (7, METRIC, "no 'entities'"),
            (ROW, "clefehealth13_task3", "BigBIO"),
            (ROW, "i2b2_2009_medication", "'Body'"),
        ],
    )
    def test_what_the_schema_lacks_is_named(self, row, module, message):
        with pytest.raises(InputError, match=message):
            from_bigbio([row], module)

    @pytest.mark.parametrize("option", ["types", "databases"])
    @pytest.mark.parametrize("given", ["Body and more", 7, [7], {"Body": 1}])
    def test_a_word_is_no_list_of_names(self, option, given):
        with pytest.raises(InputError, match=f"{option}: expected a list of names"):
            from_bigbio([ROW], **{option: given})

    @pytest.mark.parametrize(
        ("passages", "message"),
        [
            ([{"text": "No", "offsets": [[0, 2]]}, {"text": "rash", "offsets": [[1, 5]]}],
             "a passage begins at 1, but the previous one ends at 2"),
            ([{"text": ["No", "rash"], "offsets": [[0, 2]]}], "in one string, got a list"),
            ([{"text": "No", "offsets": [[10**12, 10**12 + 2]]}], "of at most 100000000"),
            ([{"text": "No", "offsets": []}], "offsets of a passage"),
            ([{"text": "No"}], "no 'offsets'"),
        ],
    )  # fmt: skip
    def test_passages_without_a_place_are_refused(self, passages, message):
        with pytest.raises(InputError, match=message):
            text_of({"passages": passages})

    def test_a_passage_may_be_empty(self):
        passages = [{"text": "", "offsets": [[3, 3]]}, {"text": "No.", "offsets": [[0, 3]]}]
        assert text_of({"passages": passages}) == "No."


def _columns(dicts, *names):
    return {name: [one[name] for one in dicts] for name in names}
