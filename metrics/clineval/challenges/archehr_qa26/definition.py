"""ArchEHR-QA 2026: sentences of a note that answer a question, and what they support.

The rules are those of https://archehr-qa.github.io, Evaluation; the released programs alone define
averages and empty cases. Subtask 2 scores the predicted sentences against the essential ones
(``strict``), or without the supplementary ones (``lenient``); subtask 4 scores links from
sentences of the answer to sentences of the note.
"""

from fractions import Fraction


def score_sets(pairs):
    """Return micro counts, micro scores, and means over the cases that have something."""
    tp = sum(len(gold & found) for gold, found in pairs)
    fp = sum(len(found - gold) for gold, found in pairs)
    fn = sum(len(gold - found) for gold, found in pairs)
    each = [divide(len(g & f), len(f - g), len(g - f)) for g, f in pairs if g or f]
    means = [sum(of) / len(each) for of in zip(*each, strict=True)] if each else [Fraction(0)] * 3
    return (tp, fp, fn), divide(tp, fp, fn), means


def divide(tp, fp, fn):
    """Return precision, recall and F1 as exact numbers."""
    parts = ((tp, tp + fp), (tp, tp + fn), (2 * tp, 2 * tp + fp + fn))
    return [Fraction(top, bottom) if bottom else Fraction(0) for top, bottom in parts]


def flatten(name, means, scored):
    """Return the scores of a match under their names."""
    counts, micro, macro = scored
    words = ("precision", "recall", "f1")
    return {
        **dict(zip((f"{name}_{of}" for of in ("tp", "fp", "fn")), counts, strict=True)),
        **dict(zip((f"{name}_{of}" for of in words), micro, strict=True)),
        **dict(zip((f"{means}_{of}" for of in words), macro, strict=True)),
    }


def score_sentences(gold, predicted):
    """Return the scores of subtask 2, of grades by sentence and of predicted sentences by case."""
    names = gold.keys() | predicted.keys()
    strict, lenient = [], []
    for name in names:
        grades, found = gold.get(name, {}), set(predicted.get(name, ()))
        essential = {at for at, grade in grades.items() if grade == "essential"}
        strict.append((essential, found))
        lenient.append(
            (essential, {at for at in found if grades.get(at) != "supplementary"}),
        )
    return {
        **flatten("strict_micro", "strict_macro", score_sets(strict)),
        **flatten("lenient_micro", "lenient_macro", score_sets(lenient)),
    }


def score_links(gold, predicted):
    """Return the scores of subtask 4, of pairs of an answer sentence and a sentence by case."""
    names = gold.keys() | predicted.keys()
    pairs = [(set(gold.get(name, ())), set(predicted.get(name, ()))) for name in names]
    return flatten("micro", "macro", score_sets(pairs))


def read_key(case):
    """Return the grades of sentences, and the links of the answer, of a case of the key."""
    grades = {str(s["sentence_id"]): s["relevance"].lower() for s in case["answers"]}
    links = {
        (str(sentence["id"]), str(cited))
        for sentence in case["clinician_answer_sentences"]
        for cited in sentence["citations"]
    }
    return grades, links


def read_prediction(case):
    """Return the predicted sentences, and the predicted links, of a case."""
    links = [each for each in case["prediction"] if isinstance(each, dict)]
    pairs = {(str(e["answer_id"]), str(cited)) for e in links for cited in e["evidence_id"]}
    return {str(e) for e in case["prediction"] if not isinstance(e, dict)}, pairs


def score_documents(gold, predicted, config="default"):
    """Return the scores of cases as the challenge's JSON contains them."""
    key = {case["case_id"]: read_key(case) for case in gold}
    found = {case["case_id"]: read_prediction(case) for case in predicted}
    has_links = any(links for _, links in found.values())
    part = int(has_links if config == "default" else config == "subtask4")
    score = (score_sentences, score_links)[part]
    sides = ({name: parts[part] for name, parts in side.items()} for side in (key, found))
    scores = {name: float(value) for name, value in score(*sides).items()}
    return {**scores, "overall_score": scores["micro_f1" if part else "strict_micro_f1"]}
