"""Data sets, tokenizers' output, predictions, and samples of harnesses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

import clineval
from clineval import InputError
from clineval.harness.samples import SampleScoring
from clineval.results.registry import NAMES, find_challenge
from clineval.training import (
    TagSet,
    Windows,
    as_mentions,
    compute_metrics_for,
    from_bigbio,
    from_entries,
    from_mentions,
    from_words,
    text_of,
)
from fuzz.contract import judge_scores, keep, share
from fuzz.mutations import NOTED, mutated_objects

SEMEVAL = "semeval15_task14"
TEXT = "Lasix 80 mg daily"
MENTIONS = [{"spans": [[0, 5]], "cui": "C1", "negation": "no"}, {"spans": [[6, 8], [9, 11]]}]
ENTRIES = [{"m": {"text": "Lasix", "offsets": [[1, 0, 1, 0]]}, "do": {"offsets": [[1, 1, 1, 2]]}}]
ENCODING = {
    "offset_mapping": [[[0, 0], [0, 5], [6, 8], [9, 11], [12, 17]]],
    "overflow_to_sample_mapping": [0], "input_ids": [[1, 2, 3, 4, 5]],
    "attention_mask": [[1, 1, 1, 1, 0]],
}  # fmt: skip
WORDS = {
    "tokens": [["No", "leg", "pain"], ["."]], "tags": [[0, 1, 2], [0]],
    "names": ["O", "B-Sign", "I-Sign"],
}  # fmt: skip
SAMPLE = {"answer": '[{"text": "Lasix", "cui": "C1"}]', "gold": MENTIONS[:1], "note": TEXT}
LABELS = {"i2b2_2009_medication": ["m", "do"]}


def has_rows(name):
    try:
        return from_bigbio([], name) == []
    except InputError:
        return False


ON_BIGBIO = list(filter(has_rows, NAMES))


def row_of(name):
    """A row of a data set in the BigBIO KB schema, or in the schema of texts with labels."""
    if find_challenge(name).kind.source_parts == {"labels"}:
        return [{"text": TEXT, "labels": ["A"]}, {"text": "", "labels": []}]
    entities = [
        {"id": "1", "type": label, "text": ["x"], "offsets": [[4 * at, 4 * at + 3]],
         "normalized": [{"db_name": "UMLS", "db_id": "C1"}]}
        for at, label in enumerate(LABELS.get(name, ["A", "B"]))
    ]  # fmt: skip
    columns = {"id": ["2"], "type": ["A"], "offsets": [[[6, 8]]], "normalized": [[]]}
    passages = [{"text": [TEXT[:5]], "offsets": [[0, 5]]}, {"text": TEXT[6:], "offsets": [[6, 17]]}]
    return [{"passages": passages, "entities": entities}, {"passages": [], "entities": columns}]


@pytest.mark.parametrize("name", ON_BIGBIO)
@share("training", 2 * len(ON_BIGBIO))
@given(data=st.data())
def test_data_sets(name, data):
    rows = data.draw(mutated_objects(row_of(name)[: data.draw(st.integers(1, 2))]))
    options = data.draw(
        st.dictionaries(st.sampled_from(["types", "databases"]), NOTED | st.just(["A", "UMLS"]))
    )
    found = keep(lambda: from_bigbio(rows, name, **options))
    if found is not None:
        keep(lambda: clineval.score(name, found, found))


def read_texts(rows):
    return [text_of(row) for row in rows] if isinstance(rows, list) else text_of(rows)


def read_words(columns):
    known = columns if isinstance(columns, dict) else {"tokens": columns}
    words = from_words(known.get("tokens"), known.get("tags"), known.get("names"))
    words.windows({"word_ids": [[None, 0, 0, 1, 2, None], [0]]})
    return words.documents(as_mentions())


def windows_of(encoding):
    return Windows.of(encoding if isinstance(encoding, dict) else {}, [TEXT])


def label(annotations):
    tags = TagSet.of(["Disorder", "m", "do"])
    return windows_of(ENCODING).encode([annotations], tags)


def decode(predictions):
    """What a Trainer would do at the end of an epoch."""
    references = [{"text": TEXT, "sections": []}]
    metrics = compute_metrics_for(
        "clinais23_b2", windows_of(ENCODING), references, ["O", "B-TREATMENT", "I-TREATMENT"]
    )
    metrics.add(predictions)
    judge_scores(metrics.compute())


def count_sample(sample):
    scoring = SampleScoring(SEMEVAL)
    fields = sample if isinstance(sample, dict) else {"gold": sample}
    counts = scoring.count_sample(fields.get("answer"), fields, "d")
    judge_scores(scoring.tell([counts]))


READ = {
    "texts": (row_of(SEMEVAL), read_texts),
    "words": (WORDS, read_words),
    "tags": (WORDS["names"], lambda tags: TagSet(tuple(tags) if isinstance(tags, list) else tags)),
    "labels": (["Sign", "Drug"], TagSet.of),
    "encodings": (ENCODING, windows_of),
    "mentions": (MENTIONS, lambda given: label(from_mentions(given))),
    "entries": (ENTRIES, lambda given: label(from_entries(given, TEXT))),
    "numbers": ([[0, 1, 2, 0, 0]], decode),
    "outputs": ([[[0.1, 0.9, 0.0]] * 5], decode),
    "samples": (SAMPLE, count_sample),
}


@pytest.mark.parametrize("what", READ)
@share("training", 2 * len(READ))
@given(data=st.data())
def test_what_is_read(what, data):
    good, read = READ[what]
    bad = data.draw(mutated_objects(good))
    keep(lambda: read(bad))


@pytest.mark.parametrize("what", READ)
def test_what_is_good_is_read(what):
    good, read = READ[what]
    read(good)


@pytest.mark.parametrize("name", ON_BIGBIO)
@pytest.mark.filterwarnings("ignore:.*linked to the nearest:clineval.InputWarning")
def test_good_data_sets_are_read(name):
    assert from_bigbio(row_of(name)[:1], name)
