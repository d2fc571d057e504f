"""Random corpora in PubTator, and their scores, to test challenges with sets of items."""

from functools import partial

from hypothesis import strategies as st

import clineval


@st.composite
def mentions(draw, types, concepts):
    """A mention; few places and few concepts."""
    start = draw(st.integers(0, 3))
    end = start + draw(st.integers(1, 2))
    label, concept = draw(st.sampled_from(types)), draw(st.sampled_from(concepts))
    return f"{start}\t{end}\twords\t{label}\t{concept}"


@st.composite
def corpora(draw, lines, predicted_lines=None):
    """The lines of gold and predicted documents, with copies; documents of one side only."""
    predicted_lines = lines if predicted_lines is None else predicted_lines
    gold = draw(st.lists(st.lists(lines, max_size=6), min_size=1, max_size=4))
    found = []
    for document in gold[: draw(st.integers(1, len(gold)))]:
        kept = draw(st.lists(st.sampled_from(document), max_size=5)) if document else []
        found.append([*kept, *draw(st.lists(predicted_lines, max_size=5))])
    return gold, [*found, *([[]] * (len(gold) - len(found)))]


def write(documents):
    return "".join(
        f"{number}|t|Title.\n{number}|a|Text.\n" + "".join(f"{number}\t{each}\n" for each in lines)
        for number, lines in enumerate(documents)
    )


def as_dicts(documents):
    """The same lines as documents of JSON Lines."""
    return [_as_dict(number, document) for number, document in enumerate(documents)]


def _as_dict(number, lines):
    cells = [line.split("\t") for line in lines]
    mentions = [
        {"spans": [[int(each[0]), int(each[1])]], "label": each[3], "concept": "".join(each[4:5])}
        for each in cells
        if each[0] != "CID"
    ]
    links = [{"from": each[1], "to": each[2]} for each in cells if each[0] == "CID"]
    return {"id": str(number), "mentions": mentions, "relations": links}


def only_counts(scores):
    """The counts among scores."""
    return {key: value for key, value in scores.items() if key[-3:] in ("_tp", "_fp", "_fn")}


def texts(documents):
    """Each document by itself."""
    return ["".join(f"0\t{line}\n" for line in document) or "0|t|x\n\t" for document in documents]


def scorers(name):
    """Functions of predictions and references: scores, scores by place, and counts by place."""
    return [partial(each, name) for each in (_score, _score_by_place, _count)]


def _score(name, predictions, references, **options):
    return clineval.score(name, write(predictions), write(references), **options).as_dict()


def _score_by_place(name, predictions, references):
    return clineval.score(name, texts(predictions), texts(references)).as_dict()


def _count(name, predictions, references):
    return clineval.count(name, texts(predictions), texts(references))
