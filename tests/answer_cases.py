"""Gold standards, answers and options of metrics that answers of language models are scored by."""

import json

from outside_cases import at, mention, quote, relate

from clineval.challenges.n2c2_2018_track1.measures import CRITERIA


def event(label, word, *arguments):
    return {"label": label, "spans": at(word), "arguments": [*arguments]}


def score_codes(*pairs):
    return [{"code": code, "score": score} for code, score in pairs]


def quote_all(document):
    """The answer of a model that found a document's annotation."""
    if "events" in document:
        events = [
            {**quote(each), "arguments": [quote(a) for a in each["arguments"]]}
            for each in document["events"]
        ]
        return {"events": events}
    if "mentions" in document:
        mentions = [{"id": m["id"], **quote(m)} for m in document["mentions"]]
        return {**document, "mentions": mentions}
    return document


CASES = {
    "clinical_relations": (
        [relate(("CAUSES", 0, 1), ("TREATS", 2, 3)), relate()],
        [relate(("CAUSES", 0, 1), ("TREATS", 3, 2)), relate(("TREATS", 0, 1))],
        {"types": ["CAUSES", "TREATS"]},
        {"strict_precision": 1 / 3, "strict_recall": 1 / 2, "mentions_f1": 1},
    ),
    "clinical_events": (
        [{"events": [event("Give", "helped", mention("heparin", "Drug"))]}, {"events": []}],
        [{"events": [event("Give", "helped", mention("Aspirin", "Drug"))]}, {"events": []}],
        {"events": {"Give": {"Drug": []}}},
        {"trigger_f1": 1, "span_f1": 0, "overall_f1": 1 / 2},
    ),
    "clinical_codes": (
        [["I10", "E11.9"], ["J45"]],
        [["i10"], ["J45", "R52"]],
        {},
        {"micro_precision": 2 / 3, "micro_recall": 2 / 3, "exact_match": 0},
    ),
    "clinical_records": (
        [{"day": "2024-05-01", "drugs": [{"drug": "aspirin", "mg": 5}]}, {"drugs": []}],
        [{"day": "2024-05-02", "drugs": [{"drug": "aspirin", "mg": 5.5}]}, {}],
        {"schema": {"type": "object", "properties": {
            "day": {"type": "string", "format": "date"},
            "drugs": {"type": "array", "items": {"type": "object", "properties": {
                "drug": {"type": "string", "x-key": True},
                "mg": {"type": "number", "x-tolerance": 0.5},
            }}},
        }}},
        {"day_f1": 0, "drugs_mg_f1": 1, "documents_exact": 1 / 2},
    ),
    "clinical_classes": (
        [{"smoking": "past", "pain": "no"}, {"smoking": "never", "pain": None}],
        [{"smoking": "Past", "pain": "yes"}, {"smoking": "unclear", "pain": "yes"}],
        {"classes": {"smoking": ["past", "never"], "pain": ["yes", "no"]}},
        {
            "micro_precision": 1 / 3, "micro_recall": 1 / 3, "accuracy": 1 / 4,
            "smoking_accuracy": 1 / 2, "smoking_micro_precision": 1, "pain_micro_f1": 0,
        },
    ),
    "clinical_classes of one question": (
        ["past", "never", "past"],
        ["never", "Never", "never"],
        {"classes": ["past", "never"]},
        {"micro_precision": 1 / 3, "accuracy": 1 / 3, "never_f1": 1 / 2, "past_f1": 0},
    ),
    "clinical_classes with several answers": (
        [["fever", "rash"], []],
        [["fever"], ["rash"]],
        {"classes": ["fever", "rash"], "several": True},
        {"micro_f1": 1 / 2, "fever_f1": 1, "rash_f1": 0, "accuracy": 0, "hamming_loss": 1 / 2},
    ),
    "n2c2_2018_track1": (
        [dict.fromkeys(CRITERIA, "not met"), dict.fromkeys(CRITERIA, "met")],
        [{**dict.fromkeys(CRITERIA, "NOT MET "), "ENGLISH": "met"},
         {"keto-1yr": "met", "HBA1C": "?"}],
        {},
        {"not_met_recall": 12 / 13, "met_precision": 1 / 2, "met_recall": 1 / 13,
         "english_overall_f1": 0, "keto_1yr_overall_f1": 1},
    ),
    "i2b2_2006_smoking": (
        [{"smoking": "PAST SMOKER"}, {"smoking": "UNKNOWN"}],
        [{"smoking": "CURRENT SMOKER"}, {"smoking": "unknown"}],
        {},
        {"macro_f1": 1 / 3, "macro_all_f1": 1 / 5, "micro_f1": 1 / 2, "accuracy": 1 / 2},
    ),
    "i2b2_2008_obesity": (
        [{"Obesity": "U", "Gout": "N"}, {"Obesity": "Y", "Gout": "U"}],
        [{"Obesity": "U", "Gout": "U"}, {"Obesity": "Y", "Gout": "U"}],
        {"config": "textual"},
        {"micro_f1": 3 / 4, "macro_f1": 3 / 5, "obesity_macro_f1": 1, "diseases_macro_f1": 2 / 3},
    ),
    "icd_coding": (
        [["401.9", "428.0"], ["486"]],
        [["4019"], ["486", "38.93"]],
        {},
        {"micro_precision": 2 / 3, "micro_f1": 2 / 3, "macro_f1": 1 / 2, "macro_gold_f1": 2 / 3},
    ),
    "icd_coding with scores": (
        [["401.9", "428.0"], ["486"]],
        [score_codes(["401.9", 0.9], ["428.0", 0.4]), score_codes(["486", 0.8], ["38.93", 0.45])],
        {"codes": ["401.9", "428.0", "486", "38.93"]},
        {"micro_precision": 1, "micro_recall": 2 / 3, "auc_micro": 14 / 15, "map": 1},
    ),
    "icd_coding under caml": (
        [["401.9", "428.0"], ["486"]],
        [score_codes(["401.9", 0.9], ["428.0", 0.4]), score_codes(["486", 0.8], ["38.93", 0.7])],
        {"codes": ["401.9", "428.0", "486", "38.93"], "protocol": "caml"},
        {"micro_accuracy": 1 / 2, "macro_precision": 1 / 2, "macro_f1": 1 / 2, "f1_proc": 0},
    ),
    "icd_coding under edin": (
        [["401.9", "428.0"], ["486"]],
        [score_codes(["401.9", 0.9], ["428.0", 0.4]), score_codes(["486", 0.8], ["38.93", 0.7])],
        {"codes": ["401.9", "428.0", "486", "38.93"], "protocol": "edin"},
        {"micro_f1": 4 / 5, "macro_f1": 2 / 3, "micro_f1_mullenbach": 2 / 3, "map": 1},
    ),
}  # fmt: skip


def answers_of(side):
    return [json.dumps(quote_all(document)) for document in side]
