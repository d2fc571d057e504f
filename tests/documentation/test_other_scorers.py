"""Why your F1 is not theirs: each row of the page, with the other scorer and with clineval."""

import json
import re
import unicodedata
from collections import Counter
from statistics import mean

import pytest
import spacy
from conftest import DATA
from hypothesis import given
from hypothesis import strategies as st
from nervaluate.evaluator import Evaluator
from page_tables import rows_of
from pages import read
from spacy.scorer import Scorer, get_ner_prf
from spacy.training import Example

import clineval
from clineval.challenges.i2b2_2012_temporal.official.counts import Mode, count_document
from clineval.challenges.i2b2_2012_temporal.official.tags import Tags
from clineval.challenges.n2c2_2018_track1.measures import CRITERIA
from clineval.training import from_words

PAGE = "hub_cards/other_scorers/README.md"
NOTHING = "–"
NLP = spacy.blank("en")
ROWS = rows_of(read(PAGE))
RECORDED = json.loads((DATA / "other_scorers" / "recorded.json").read_text("utf-8"))


# what stands in the cells


def mentions_of(cell):
    """For each note its mentions: label and fragments."""
    return [
        [read_mention(said) for said in note.split("; ") if said != NOTHING]
        for note in cell.split(" / ")
    ]


def read_mention(said):
    label, places = said.split(" ")
    return label, [[*map(int, place.split("-"))] for place in places.split("+")]


def codes_of(cell):
    """For each note its codes or names; a point ends them."""
    notes = (note.removesuffix(".").split(", ") for note in cell.split(" / "))
    return [[code for code in note if code != NOTHING] for note in notes]


def hull(spans):
    return spans[0][0], spans[-1][1]


# the other scorers


def tag(text, mentions):
    """BIO of the words that a model sees; the first mention of a word has it."""
    seen, _, _ = text.partition(" | ")
    tags = []
    for word in re.finditer(r"\S+", seen):
        touched = [
            (label, hull(spans)) for label, spans in mentions
            if hull(spans)[0] < word.end() and word.start() < hull(spans)[1]
        ]  # fmt: skip
        label, (start, _) = touched[0] if touched else ("", (0, 0))
        tags.append(f"{'B' if word.start() <= start else 'I'}-{label}" if label else "O")
    return tags


def of_seqeval(row):
    metrics = pytest.importorskip("seqeval.metrics", reason="seqeval is not installed")
    if "text" in row:
        sides = (mentions_of(row[side])[0] for side in ("gold", "predicted"))
        gold, found = (tag(row["text"], mentions) for mentions in sides)
    else:
        gold, found = row["gold"].split(), row["predicted"].split()
    if "overall_accuracy" in row["scores"]:
        return metrics.accuracy_score([gold], [found])
    if "strict" in row["scores"].partition("`, ")[0]:
        scheme = pytest.importorskip("seqeval.scheme").IOB2
        return metrics.f1_score([gold], [found], mode="strict", scheme=scheme)
    return metrics.f1_score([gold], [found])


def of_nervaluate(row):
    gold, found = (
        [
            [
                {"label": label, "start": hull(spans)[0], "end": hull(spans)[1]}
                for label, spans in note
            ]
            for note in mentions_of(row[side])
        ]
        for side in ("gold", "predicted")
    )
    tags = sorted({mention["label"] for note in gold for mention in note})
    results = Evaluator(gold, found, tags=tags, loader="dict").evaluate()
    return results["overall"][row["scores"].partition("`")[0]].f1


def of_spacy(row):
    texts, sides = row["text"].split(" / "), (mentions_of(row[s]) for s in ("gold", "predicted"))
    notes = zip(texts, *sides, strict=True)
    if "spans_sc_f" in row["scores"]:
        examples = [make_groups(*note) for note in notes]
        return Scorer.score_spans(examples, "spans_sc", getter=lambda doc, _: doc.spans["sc"])[
            "spans_sc_f"
        ]
    return get_ner_prf([make_example(*note) for note in notes])["ents_f"]


def make_groups(text, gold, found):
    """A note with its mentions in a group of spans, where they may overlap."""
    made = Example(NLP.make_doc(text), NLP.make_doc(text))
    for doc, mentions in ((made.reference, gold), (made.predicted, found)):
        doc.spans["sc"] = [doc.char_span(*hull(spans), label=label) for label, spans in mentions]
    return made


def make_example(text, gold, found):
    """A note as a corpus has it; one that has no entity has no entities at all."""
    places = [(*hull(spans), label) for label, spans in gold]
    made = Example.from_dict(NLP.make_doc(text), {"entities": places} if places else {})
    made.predicted.ents = [
        made.predicted.char_span(*hull(spans), label=label) for label, spans in found
    ]
    return made


def f1_of(gold, found):
    """F1 of two sets."""
    return 2 * len(gold & found) / (len(gold) + len(found)) if gold or found else 0.0


def of_scispacy(row):
    """The counts of labels are right; the sums are sums of sets."""
    counts = {verdict: Counter() for verdict in ("tp", "fp", "fn")}
    for gold, found in zip(
        *(mentions_of(row[side]) for side in ("gold", "predicted")), strict=True
    ):
        golds = [(label, hull(spans)) for label, spans in gold]
        read = [(label, hull(spans)) for label, spans in found]
        for label, place in read[: len({place for _, place in read})]:
            right = (label, place) in golds
            counts["tp" if right else "fp"][label] += 1
            if right:
                golds.remove((label, place))
        counts["fn"].update(label for label, _ in golds)
    tp, fp, fn = (sum({*of_label.values()}) for of_label in counts.values())
    return 2 * tp / (2 * tp + fp + fn)


def of_openmed(row):
    """The share of clusters of the gold mentions that predictions with their label do not cover."""
    [gold], [found] = (mentions_of(row[side]) for side in ("gold", "predicted"))
    marks = [unicodedata.category(letter).startswith("M") for letter in row["text"]]
    leaked = whole = 0
    for label, [(start, end)] in gold:
        seen = {at for other, [place] in found if other == label for at in range(*place)}
        begun = [at for at in range(start, end) if at == start or not marks[at]]
        whole += len(begun)
        leaked += sum(at not in seen for at in begun)
    return leaked / whole


def of_bridge(row):
    if "text" not in row:  # both ends are the subject
        gold, found = ({tuple(sorted(row[side].split(" > ")))} for side in ("gold", "predicted"))
        return f1_of(gold, found)
    gold, found = (
        {
            (label, " ".join(row["text"][slice(*place)] for place in spans))
            for label, spans in mentions_of(row[side])[0]
        }
        for side in ("gold", "predicted")
    )
    return f1_of(gold, found)


def of_meds_bench(row):
    if "extraction" in row["scores"]:
        return float(row["gold"].lower() in row["predicted"].lower())
    gold, found = (
        set(row[side].replace(".", "").strip().lower()[:-1].split(", "))
        for side in ("gold", "predicted")
    )
    return f1_of(gold, found)


CODE = re.compile(r"\b[A-Z]\d{1,3}(?:\.\d{1,4})?\.?\b")


def of_medhelm(row):
    gold, found = (
        [{code.rstrip(".") for code in CODE.findall(note)} for note in row[side].split(" / ")]
        for side in ("gold", "predicted")
    )
    return mean(map(f1_of, gold, found))


def of_dragon_eval(row):
    """The weighted F1 of a note whose words may have several labels."""
    name = "dragon_eval.evaluation"
    evaluation = pytest.importorskip(name, reason="dragon-eval is not installed")
    pandas = pytest.importorskip("pandas")
    gold, found = (
        pandas.Series([[[word] for word in tag(row["text"], mentions_of(row[side])[0])]])
        for side in ("gold", "predicted")
    )
    return evaluation.score_multi_label_f1(y_true=gold, y_pred=found)


PRINTED = {
    "n2c2 2018 Track 1": r"Overall \(micro\) .* ([01]\.\d{4})  [01]\.\d{4}$|^(KeyError): ",
    "brateval": r"^all\|.*\|(\S+)$",
    "SNOMED CT entity linking": r"character IoU metric: (nan|[01]\.\d{4})\.$",
    "ChemoTimelines": r"^Micro f1: (\S+)$",
}
"""Program to the place of its score in what it prints."""


def of_gutbrainie(row):
    """Micro precision, or the mean of F1, over the labels that the gold standard has."""
    [gold], [found] = (
        [[(label, *hull(spans)) for label, spans in note] for note in mentions_of(row[side])]
        for side in ("gold", "predicted")
    )
    rows = []
    for label in dict.fromkeys(each[0] for each in gold):
        golds, own = ([each for each in side if each[0] == label] for side in (gold, found))
        right = sum(each in golds for each in own)
        rows.append((right, len(own), 2 * right / (len(golds) + len(own))))
    if "Macro-F1" in row["scores"]:
        return mean(f1 for _, _, f1 in rows)
    return sum(right for right, _, _ in rows) / sum(number for _, number, _ in rows)


def of_drugprot(row):
    """F1 of slots; the last pair of an abstract and the first pair of the next share one."""
    slots = {"101 T1 T2": 0, "101 T1 T3": 1, "102 T1 T2": 1, "102 T1 T3": 2}
    gold, found = ({slots[of] for of in row[side].split(", ")} for side in ("gold", "predicted"))
    return 2 * len(gold & found) / (len(gold) + len(found))


def of_i2b2(row):
    """A score of links of the program of i2b2 2012; a new Perl computes no closure."""
    if "--oc" in row["scores"]:
        return 0.0
    gold, found = (as_tags(row[side]) for side in ("gold", "predicted"))
    system, golds, *right = count_document(gold, found, Mode("tlink")).links
    precision, recall = right[0] / system, right[1] / golds
    if "Precision" in row["scores"]:
        return precision
    return 2 * precision * recall / (precision + recall)


def as_tags(cell):
    """The lines of a file with these links between nine events."""
    lines = [
        f'<EVENT id="E{at}" start="{at * 9}" end="{at * 9 + 5}" text="event" modality="FACTUAL" '
        'polarity="POS" type="PROBLEM" />'
        for at in range(9)
    ]
    for at, (source, label, target) in enumerate(map(str.split, cell.split(", "))):
        ends = f'fromID="{source}" fromText="event" toID="{target}" toText="event"'
        lines.append(f'<TLINK id="TL{at}" {ends} type="{label}" />')
    return Tags.of("row", "\n".join(lines).encode())


def of_tieval(row):
    """Temporal precision, which is recall; nothing follows from these links."""
    gold, found = ({*row[side].split(", ")} for side in ("gold", "predicted"))
    return len(gold & found) / len(gold)


def of_recorded(row):
    """What a released program printed for the row; a row with other data has no recorded output."""
    cells = [row[name] for name in ("section", "example", "gold", "predicted")]
    [printed] = [
        each["printed"]
        for each in RECORDED
        if [each[name] for name in ("section", "example", "gold", "predicted")] == cells
    ]
    found = re.findall(PRINTED[row["section"]], "\n".join(printed), re.MULTILINE)
    [said] = ("".join(groups) for groups in found)
    return said if said == "KeyError" else float(said)


THEIRS = {
    "seqeval": of_seqeval, "seqeval in evaluate": of_seqeval, "nervaluate": of_nervaluate,
    "spaCy": of_spacy, "BRIDGE": of_bridge, "MedS-Bench": of_meds_bench, "MedHELM": of_medhelm,
    "scispaCy": of_scispacy, "OpenMed": of_openmed, "dragon_eval": of_dragon_eval,
    "GutBrainIE 2026": of_gutbrainie, "DrugProt": of_drugprot,
    "i2b2 2012": of_i2b2, "tieval": of_tieval,
    **dict.fromkeys(PRINTED, of_recorded),
}  # fmt: skip


# clineval


def ours(row):
    key = re.findall(r"\w+$", row["scores"])[0]
    reads, module, config = {
        "micro_f1": (codes_of, "codiesp20", "default"),
        "micro_overall_f1": (answers_of, "n2c2_2018_track1", "default"),
        "inhibitor_f1": (interactions_of, "drugprot21", "default"),
        "relations_f1": (relations_of, "bc5cdr", "relations"),
        **dict.fromkeys(("exact_f1", "overlap_f1"), (documents_of, "chemu20", "entities")),
        "micro_precision": (documents_of, "gutbrainie26", "ner"),
        "macro_f1": (documents_of, "gutbrainie26", "ner"),
        **dict.fromkeys(
            ("links_f1", "links_precision", "links_written_f1"),
            (links_of, "i2b2_2012_temporal", "links"),
        ),
    }.get(key, (documents_of, "clinical_spans", "default"))
    gold, found = (reads(row[side]) for side in ("gold", "predicted"))
    return clineval.score(module, found, gold, config=config)[key]


def links_of(cell):
    """A note with nine events and these links."""
    mentions = [
        {"id": f"E{at}", "label": "EVENT", "spans": [[at * 9, at * 9 + 5]]} for at in range(9)
    ]
    links = [
        {"label": label, "from": source, "to": target}
        for source, label, target in map(str.split, cell.split(", "))
    ]
    return [{"mentions": mentions, "relations": links}]


def answers_of(cell):
    """For each patient its answers by criterion; one letter alone is a patient without any."""
    classes = {"m": "met", "n": "not met"}
    return [
        {
            criterion: classes[letter]
            for criterion, letter in zip(CRITERIA, patient, strict=False)
            if letter != NOTHING
        }
        for patient in cell.split(" / ")
    ]


TAG = re.compile(r"O|[BILU]-\w+")


def documents_of(cell):
    """Documents, of mentions or of tags."""
    if all(TAG.fullmatch(word) for word in cell.split()):
        return from_tags([cell.split()])
    return [
        [{"label": label, "spans": spans} for label, spans in note] for note in mentions_of(cell)
    ]


def relations_of(cell):
    source, target = cell.split(" > ")
    relation = {"label": "CID", "from": source, "to": target}
    return [{"mentions": [], "relations": [relation]}]


def interactions_of(cell):
    """Two abstracts, each with a chemical T1 and the genes T2 and T3."""
    labels = {"T1": "CHEMICAL", "T2": "GENE", "T3": "GENE"}
    mentions = [
        {"id": name, "spans": [[5 * at, 5 * at + 4]], "label": label}
        for at, (name, label) in enumerate(labels.items())
    ]
    lines = [line.split() for line in cell.split(", ")]
    return [
        {"mentions": mentions, "relations": [
            {"label": "INHIBITOR", "from": source, "to": target}
            for name, source, target in lines if name == abstract
        ]}
        for abstract in ("101", "102")
    ]  # fmt: skip


def from_tags(notes):
    """The mentions of tagged words, as the training tools read them."""
    prefixes = "BILU" if any(name[0] in "LU" for note in notes for name in note) else "BI"
    names = {name for note in notes for name in note}
    names = sorted(names | {"O"} | {f"{prefix}-Drug" for prefix in prefixes})
    words = from_words(
        [["word"] * len(note) for note in notes],
        [[names.index(name) for name in note] for note in notes],
        names,
    )
    return [
        [{"label": one.label, "spans": [list(span) for span in one.spans]} for one in note]
        for note in words.annotations
    ]


def printed(number):
    return number if isinstance(number, str) else "None" if number is None else f"{number:.3f}"


@pytest.mark.parametrize("row", ROWS, ids=[f"{row['section']}: {row['example']}" for row in ROWS])
@pytest.mark.filterwarnings("ignore::clineval.InputWarning", "ignore::UserWarning")
class TestARow:
    def test_clineval_gives_what_it_says(self, row):
        assert printed(ours(row)) == row["clineval"]

    def test_the_other_scorer_gives_what_it_says(self, row):
        theirs = next(value for name, value in row.items() if name in {*THEIRS, "evaluate"})
        assert printed(THEIRS[row["section"]](row)) == theirs
        assert theirs != row["clineval"]


def test_every_scorer_of_the_page_has_rows():
    assert {row["section"] for row in ROWS} == {*THEIRS}
    assert len(ROWS) == read(PAGE).count("\n| ") - read(PAGE).count("\n| example |")


TAGS = ["O", "B-Drug", "I-Drug", "B-Sign", "I-Sign"]


@given(st.lists(st.tuples(*[st.sampled_from(TAGS)] * 2), min_size=1, max_size=12))
@pytest.mark.filterwarnings("ignore::clineval.InputWarning", "ignore::UserWarning")
def test_on_whole_texts_of_flat_mentions_it_is_seqeval(pairs):
    metrics = pytest.importorskip("seqeval.metrics", reason="seqeval is not installed")
    gold, found = ([tags] for tags in map(list, zip(*pairs, strict=True)))
    score = clineval.score("clinical_spans", from_tags(found), from_tags(gold))
    assert score["strict_f1"] == pytest.approx(metrics.f1_score(gold, found, zero_division=0))
