"""Answers are scored by the challenge's own metric, and nothing of them is left out."""

import json
import warnings
from collections import Counter
from typing import get_args

import pytest
from canary import CANARIES, NOTE, SECRET, everywhere, watch
from conftest import ROOT
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

import clineval
from clineval import Document, InputError, InputWarning, Mention
from clineval.answers import Alignment, evaluate, read_answers, score, take_answers
from clineval.answers.alignment import Align
from clineval.formats.delimited.pipe import SLOTS, read_documents
from clineval.results.slots import INVENTED

DEMO = ROOT / "metrics" / "clineval" / "challenges" / "semeval15_task14" / "demo"
MODULE = "semeval15_task14"
WORDS = ["pain", "knee", "edema", "cough", "fever", "rash", "No", "left", "leg"]
TEXT = st.lists(st.sampled_from(WORDS), min_size=5, max_size=12).map(" ".join)
CODES = st.sampled_from(["C1", "c1", "C2", None])
VALUES = st.fixed_dictionaries(
    {"cui": CODES}, optional={"negation": st.sampled_from(["no", "yes"])}
)


def quote_of(mention, text):
    """What a model would say of a mention."""
    fragments = [text[start:end] for start, end in mention["spans"]]
    values = {name: value for name, value in mention.items() if name not in ("spans", "cues")}
    return {"text": fragments if len(fragments) > 1 else fragments[0], **values}


@st.composite
def unique_quotes(draw):
    """Notes of words that are all different, and mentions of some of them."""
    documents = []
    for _ in range(draw(st.integers(1, 3))):
        words = [f"w{at}x" for at in range(draw(st.integers(4, 10)))]
        text = " ".join(words)
        starts = [text.index(word) for word in words]
        mentions = []
        for _ in range(draw(st.integers(0, 5))):
            at = sorted(draw(st.sets(st.integers(0, len(words) - 1), min_size=1, max_size=3)))
            spans = [[starts[k], starts[k] + len(words[k])] for k in at]
            mentions.append({"spans": spans, **draw(VALUES)})
        documents.append((text, mentions))
    return documents


@given(unique_quotes(), st.sampled_from(["exact", "whitespace", "fold", "fuzzy"]))
def test_quotes_of_gold_mentions_come_back(documents, match):
    gold = [
        list({json.dumps(m["spans"]): m for m in mentions}.values()) for _, mentions in documents
    ]
    texts = [text for text, _ in documents]
    answers = [[quote_of(m, text) for m in of] for of, text in zip(gold, texts, strict=True)]
    result = score(MODULE, answers, gold, texts=texts, alignment=Alignment(match=match))
    known = clineval.score(MODULE, gold, gold)
    read = {key: result[key] for key in result.values if not key.startswith("n_")}
    assert read == {key: known[key] for key in read}
    assert result["n_answers"] == sum(map(len, gold))
    assert result["n_unaligned"] == result["n_ambiguous"] == result["n_invalid"] == 0
    if any(gold):
        assert result["strict_f1"] == 1.0


ITEMS = st.lists(
    st.fixed_dictionaries(
        {
            "text": st.one_of(
                st.sampled_from([*WORDS, "zebra", ""]),
                st.lists(st.sampled_from(WORDS), max_size=3),
                st.none(),
            )
        },
        optional={
            "cui": st.sampled_from(["C1", None, 3, "two words", ["C1"]]),
            "negation": st.sampled_from(["no", "yes", "maybe", True, False, None, 3, "é" * 99]),
            "body_location": st.sampled_from(["C7", ["C7", "C8"], "a b", [], {"x": 1}]),
            "confidence": st.just(0.5),
        },
    ),
    max_size=6,
)


@given(st.lists(st.tuples(TEXT, ITEMS), min_size=1, max_size=3), st.sampled_from(get_args(Align)))
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_nothing_is_left_out_whatever_a_model_says(documents, align):
    texts, answers = [text for text, _ in documents], [items for _, items in documents]
    gold = [[{"spans": [[0, len(text.split()[0])]], "cui": "C1"}] for text in texts]
    evaluation = evaluate(MODULE, answers, gold, texts=texts, alignment=Alignment(align))
    result = evaluation.score()
    assert result["n_answers"] == sum(map(len, answers))
    # every quote without a place is a false positive, also of overlapping mentions
    assert result["span_fp"] >= result["n_unaligned"] + result["n_ambiguous"]
    placed = len(evaluation.corpus.prediction) - result["n_unaligned"] - result["n_ambiguous"]
    assert placed >= result["span_tp"]
    taken = take_answers(MODULE, {"": answers}, gold, texts=texts, alignment=Alignment(align))
    reasons = Counter(lost.reason.split()[0] for lost in taken.lost[""])
    assert reasons["unaligned"] == result["n_unaligned"]
    assert reasons["ambiguous"] == result["n_ambiguous"]
    assert reasons["invalid"] == result["n_invalid"]


def test_an_invented_value_is_wrong_and_counted():
    gold = [[{"spans": [[3, 8]], "cui": "C1", "negation": "yes"}]]
    for value, right, invalid in (
        ("yes", 1, 0), (True, 1, 0), ("no", 0, 0), (False, 0, 0), (None, 0, 0), ("maybe", 0, 1),
        (7, 0, 1),
    ):  # fmt: skip
        item = {"text": "edema", "cui": "C1", "negation": value}
        result = score(MODULE, [[item]], gold, texts=["No edema."])
        assert (result["negation_accuracy"], result["n_invalid"]) == (right, invalid)
        assert result["strict_f1"] == 1.0
    # one is wrong also where the gold mention has the default
    default = [[{"spans": [[3, 8]], "cui": None}]]
    for code, right, invalid in ((None, 1, 0), ("two words", 0, 1), (5, 0, 1)):
        item = {"text": "edema", "cui": code, "severity": "maybe"}
        result = score(MODULE, [[item]], default, texts=["No edema."])
        assert (result["strict_f1"], result["n_invalid"]) == (right, 1 + invalid)
        assert result["severity_accuracy"] == 0
    missing = score(MODULE, [[{"text": "edema"}]], default, texts=["No edema."])
    assert (missing["strict_f1"], missing["span_f1"], missing["n_invalid"]) == (0, 1, 1)


def test_no_slot_can_have_the_value_that_stands_for_invented_ones():
    for slot in SLOTS:
        given_ = [[{"spans": [[0, 1]], "cui": None, slot.name: INVENTED}]]
        with pytest.raises(InputError):
            clineval.score(MODULE, given_, given_)


def test_broken_answers_are_empty_documents():
    gold = [[{"spans": [[3, 8]], "cui": "C1"}]] * 3
    good = '[{"text": "edema", "cui": "C1"}'
    given = [f"{good}]", good, f"{good} {good}"]
    with pytest.warns(InputWarning, match=r"1 answer cannot be read, .*: 2"):
        result = score(MODULE, given, gold, texts=["No edema."] * 3)
    assert (result["strict_tp"], result["strict_fn"], result["strict_fp"]) == (2, 1, 0)
    assert (result["n_repaired"], result["n_unreadable"], result["n_answers"]) == (1, 1, 2)
    assert result["n_documents"] == 3


@pytest.mark.filterwarnings("ignore:.*is not looked at")
@pytest.mark.parametrize("match", ["exact", "text"])
def test_unreadable_answers_and_items_without_text_are_counted_and_warned_of(match):
    gold = [Document(name, [Mention([(3, 8)], "C1")]) for name in ("a", "b", "c")]
    answers = {
        "a": [
            {"quote": "edema", "cui": "C1"},
            {"text": None, "cui": "C1"},
            {"text": "", "cui": "C1"},
        ],
        "b": "There is none.",
        "c": "[{'text': 'edema', 'cui': 'C1'}, {'text': 'cough', 'cui': 'C1'},]",
    }
    texts = dict.fromkeys("abc", "No edema.")
    how = {"texts": texts, "alignment": Alignment(match=match)}
    with pytest.warns(InputWarning) as said:
        result = score(MODULE, answers, gold, **how)
    with pytest.warns(InputWarning):
        [lost] = take_answers(MODULE, {"": answers}, gold, **how).lost.values()
    told = [str(each.message) for each in said]
    assert any("1 answer cannot be read" in message and "b" in message for message in told)
    assert any("3 items in the answers have no 'text'" in message for message in told)
    assert (result["n_without_text"], result["n_unreadable"], result["n_repaired"]) == (3, 1, 1)
    assert result.get("n_unaligned", 1) == 1
    assert (result["strict_tp"], result["strict_fp"], result["strict_fn"]) == (1, 4, 2)
    assert [each.position for each in lost if each.reason == "without text"] == [0, 1, 2]


def test_counts_of_answers_add_up_and_are_stored():
    gold = [[{"spans": [[3, 8]], "cui": "C1"}]]
    parts = [
        evaluate(MODULE, [[{"text": words, "cui": "C1"}]], gold, texts=["No edema."]).counts
        for words in ("edema", "zebra")
    ]
    whole = clineval.Counts.from_json((parts[0] + parts[1]).to_json()).score(confidence=0.9)
    assert (whole["n_unaligned"], whole["n_answers"], whole["strict_f1"]) == (1, 2, 0.5)
    assert "n_unaligned_low" not in whole.bounds
    assert [row["n_unaligned"] for row in whole.per_document] == [0, 1]
    other = evaluate(MODULE, [[]], gold, texts=["No edema."], alignment=Alignment("first")).counts
    with pytest.raises(InputError, match="counts that differ in answers"):
        parts[0] + other


@given(corpora(slots=SLOTS[:1], room=4), st.data())
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_without_offsets_texts_and_codes_are_multisets(corpus, data):
    """The same numbers for gold mentions with offsets and for their texts."""
    words = st.sampled_from(["pain", "knee pain", "No", " knee\npain"])
    sides = [
        [[{"text": data.draw(words), "cui": m["cui"]} for m in document] for document in side]
        for side in corpus
    ]
    gold, found = sides
    result = score(MODULE, found, gold, config="task1", alignment=Alignment(match="text"))
    tp = 0
    for mine, theirs in zip(gold, found, strict=True):
        counts = [
            Counter((" ".join(m["text"].split()), (m["cui"] or "").lower()) for m in side)
            for side in (mine, theirs)
        ]
        tp += sum((counts[0] & counts[1]).values())
    assert result["strict_tp"] == tp == result["relaxed_tp"]
    assert result["strict_fn"] == sum(map(len, gold)) - tp
    assert result["strict_fp"] == sum(map(len, found)) - tp
    assert result.signature.settings["answers"] == "text"
    assert "n_unaligned" not in result.values


def demo_answers(system):
    documents = read_documents(DEMO / system, SLOTS)
    texts = {d.id: (DEMO / "text" / d.id).read_text() for d in documents}
    answers = {d.id: [quote_of(m.as_dict(), texts[d.id]) for m in d.mentions] for d in documents}
    return answers, texts


def test_the_demo_without_offsets():
    """The gold standard's offsets, or only the words at them."""
    answers, texts = demo_answers("tagger")
    gold = {
        d.id: [quote_of(m.as_dict(), texts[d.id]) for m in d.mentions]
        for d in read_documents(DEMO / "gold", SLOTS)
        if d.id in texts
    }
    asked = {"texts": texts, "alignment": Alignment(match="text")}
    of_offsets, of_words = (score(MODULE, answers, g, **asked) for g in (DEMO / "gold", gold))
    assert of_words.as_dict() == of_offsets.as_dict()
    assert of_words["strict_tp"] > 200


def test_the_order_of_answers_without_offsets_does_not_matter():
    answers, texts = demo_answers("dictionary")
    backwards = {name: items[::-1] for name, items in answers.items()}
    asked = {"texts": texts, "alignment": Alignment(match="text")}
    one, other = (score(MODULE, a, DEMO / "gold", **asked) for a in (answers, backwards))
    assert one.as_dict() == other.as_dict()


def test_all_ways_to_give_answers_are_the_same(tmp_path):
    answers, texts = demo_answers("tagger")
    lines = tmp_path / "answers.jsonl"
    lines.write_text(
        "".join(json.dumps({"id": n, "answer": json.dumps(a)}) + "\n" for n, a in answers.items())
    )
    folder = tmp_path / "answers"
    folder.mkdir()
    for name, items in answers.items():
        (folder / name.replace(".txt", ".json")).write_text(json.dumps({"mentions": items}))
    langextract = tmp_path / "langextract.jsonl"
    langextract.write_text(
        "".join(json.dumps(as_langextract(n, a)) + "\n" for n, a in answers.items())
    )
    wanted = score(MODULE, answers, DEMO / "gold", texts=texts).as_dict()
    assert wanted["strict_f1"] > 0.7
    for given_ in (lines, folder):
        assert score(MODULE, given_, DEMO / "gold", texts=DEMO / "text").as_dict() == wanted
    joined = {
        n: [{**i, "text": i["text"] if isinstance(i["text"], str) else i["text"][0]} for i in a]
        for n, a in answers.items()
    }
    read = score(MODULE, langextract, DEMO / "gold", texts=DEMO / "text").as_dict()
    assert read == score(MODULE, joined, DEMO / "gold", texts=texts).as_dict()


def test_what_a_folder_of_answers_holds_besides_is_said(tmp_path):
    (tmp_path / "a.json").write_text('[{"text": "edema", "cui": "C1"}]')
    (tmp_path / "more.jsonl").write_text("")
    (tmp_path / "old").mkdir()
    with pytest.warns(InputWarning) as caught:
        [answer] = read_answers(tmp_path)
    assert answer.document == "a"
    assert {str(warning.message).split(": ", 1)[1] for warning in caught} == {
        "not read: old, which are not files",
        "not read: more.jsonl, beside files of another format",
    }


def test_a_line_of_answers_with_a_key_twice_is_refused(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"id": "a", "answer": "[]", "answer": "[1]"}')
    with pytest.raises(InputError, match=r"answers.jsonl:1: expected one JSON object"):
        read_answers(path)


def as_langextract(name, items):
    """A line of ``lx.io.save_annotated_documents``, with offsets that are wrong."""
    extractions = [
        {
            "extraction_class": "disorder",
            "extraction_text": item["text"] if isinstance(item["text"], str) else item["text"][0],
            "char_interval": {"start_pos": 0, "end_pos": 1},
            "alignment_status": "match_lesser",
            "attributes": {k: v for k, v in item.items() if k != "text"},
        }
        for item in items
    ]
    return {"extractions": extractions, "text": "", "document_id": name}


def test_langextracts_class_is_the_label_where_there_are_labels():
    [answer] = read_answers(
        [[{"extraction_text": "fever", "extraction_class": "problem"}]], "label"
    )
    assert answer.items[0].values == {"label": "problem"}


def test_answers_of_other_documents_are_spurious_and_missing_ones_missed():
    gold = [
        Document("a.txt", [Mention([(3, 8)], "C1")], "No edema."),
        Document("b", [Mention([(0, 4)], "C1")], "Rash"),
    ]
    answers = {"a": [{"text": "edema", "cui": "C1"}], "c": [{"text": "zebra", "cui": "C1"}]}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = score(MODULE, answers, gold, texts={"a.txt": "No edema.", "c": "zebra"})
    assert {str(w.message).split(":")[0] for w in caught if w.category is InputWarning} == {
        "1 document has no predictions and counts as all missed",
        "1 predicted document is not in the gold standard and counts as all spurious",
    }
    assert (result["strict_tp"], result["strict_fp"], result["strict_fn"]) == (1, 1, 1)


@pytest.mark.parametrize("canary", CANARIES.values(), ids=CANARIES)
def test_no_message_has_words_of_a_note_or_a_quote(canary, tmp_path):
    note, item = (
        f"{NOTE}. {SECRET}",
        {"text": SECRET, "cui": "C1", "negation": "no", "body_location": ["C1"]},
    )
    gold = [[{"spans": [[0, 3]], "cui": "C1"}]]
    for spoilt in everywhere([item, {"text": "zebra"}], canary):
        for match in ("exact", "text"):
            watch(
                lambda a=spoilt, m=match: score(
                    MODULE, [a], gold, texts=[note], alignment=Alignment(match=m)
                )
            )
        watch(lambda a=spoilt: score(MODULE, a, gold, texts=[note]))
        watch(
            lambda a=spoilt: score(
                MODULE, [[item]], a, texts=[note], alignment=Alignment(match="text")
            )
        )
        line = tmp_path / "answers.jsonl"
        line.write_bytes(json.dumps(spoilt, ensure_ascii=False).encode(errors="surrogatepass"))
        watch(lambda p=line: score(MODULE, p, gold, texts=[note]))
    watch(lambda: score(MODULE, canary, gold, texts=[note]))
    watch(lambda: score(MODULE, [[item]], gold, texts=canary))
    for option in ("align", "match", "distance"):
        watch(lambda o=option: Alignment(**{o: canary}))


@pytest.mark.parametrize("module", ["clinais23_b2", "clefehealth13_task2", "clefehealth13_task3"])
def test_challenges_without_mentions_or_records_to_find_take_none(module):
    with pytest.raises(
        InputError, match=r"does not accept answers: .*; these do: semeval15_task14"
    ):
        score(module, [[]], [[]])


def test_gold_mentions_behind_their_text_are_refused():
    """As where line ends were changed: places behind the note would not be nowhere."""
    with pytest.raises(InputError, match="1 document has gold mentions after the end"):
        score(MODULE, [[]], [[{"spans": [[3, 80]], "cui": None}]], texts=["No edema."])


def test_quotes_without_a_place_of_two_systems_do_not_mix():
    """A report shows each below the note, where its mentions are."""
    gold = [Document("a", [Mention([(3, 8)], "C1")], "No edema.")]
    systems = {
        name: {"a": [{"text": word, "cui": "C1"}]} for name, word in (("x", "zebra"), ("y", "gnu"))
    }
    taken = take_answers(MODULE, systems, gold)
    assert taken.notes == {"a": "No edema.\nzebra\ngnu"}
    for name, word in (("x", "zebra"), ("y", "gnu")):
        mentions = taken.systems[name].mentions
        assert taken.notes["a"][mentions.starts[0] : mentions.ends[0]] == word
        assert clineval.score(MODULE, taken.systems[name], taken.references)["strict_fp"] == 1


@pytest.mark.parametrize("protocol", ["spec", "official"])
@pytest.mark.parametrize("module", [MODULE, "clefehealth13_task1"])
def test_every_protocol_counts_what_has_no_place(module, protocol):
    answers, texts = demo_answers("tagger")
    more = {n: [*a, {"text": "Quillfeather", "cui": "C1"}] for n, a in answers.items()}
    sides = [
        score(module, a, demo_gold(texts), texts=texts, protocol=protocol) for a in (answers, more)
    ]
    key = "strict_fp" if module == MODULE else "exact_fp"
    assert sides[1][key] - sides[0][key] == sides[1]["n_unaligned"] == len(answers)
    assert sides[1][key.replace("fp", "tp")] == sides[0][key.replace("fp", "tp")]


def demo_gold(texts):
    return [d for d in read_documents(DEMO / "gold", SLOTS) if d.id in texts]


def test_words_shared_with_overlap_word():
    gold = [[{"spans": [[3, 13]], "cui": "C1"}]]
    answers = [[{"text": "edema", "cui": "C1"}, {"text": "zebra edema", "cui": "C1"}]]
    result = score(MODULE, answers, gold, texts=["No leg edema."], overlap="word")
    assert (result["relaxed_tp"], result["relaxed_fp"]) == (1, 1)
