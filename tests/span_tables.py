"""Replays of the evaluation libraries that read tables of mentions, and random such tables."""

import re

import pytest
from hypothesis import strategies as st

from clineval import InputError
from clineval.evaluation.evaluate import evaluate


def replay(challenge, command, folder, task, output, **options):
    """What a library's stand-in prints and writes for a folder with a case."""
    files = {side: folder / f"{side}.{task}.tsv" for side in ("gold", "pred")}
    run = command(files["gold"], files["pred"], output, **options)
    asked = {"config": run.config, "protocol": "official", **run.options}
    evaluation = evaluate(challenge, run.predictions, run.references, **asked)
    written = list(run.write(evaluation))
    printed = "".join(each.text for each in written if not each.file)
    return printed, "".join(each.text for each in written if each.file)


def check(output, call):
    """Compare a recorded output, and the results file beside it, with what ``call`` gives."""
    expected = output.read_text("utf-8")
    if "rc=1" in expected:
        with pytest.raises(InputError):
            call()
        return
    printed, written = call()
    assert re.sub(r"\d{8}_\d{6}", "TIME", printed) == expected
    assert written == output.with_suffix(".txt").read_text("utf-8")


PLACE = st.tuples(st.integers(0, 6), st.integers(7, 9))


def mentions(labels, codes=()):
    """Documents, each a list of gold and one of predicted (start, end, label[, code])."""
    values = [st.sampled_from(labels), *([st.sampled_from(codes)] if codes else [])]
    one = st.tuples(PLACE, *values).map(lambda m: (*m[0], *m[1:]))
    return st.lists(st.tuples(*[st.lists(one, max_size=7)] * 2), min_size=1, max_size=4)


def write_table(path, documents, side, *, coded=True):
    """Write one side of such documents as a table; mentions of documents are mixed."""
    header = ["filename", "label", "start_span", "end_span", "text", *(["code"] if coded else [])]
    rows = [
        [f"d{at}", m[2], str(m[0]), str(m[1]), "x", *m[3:]]
        for at, doc in enumerate(documents)
        for m in doc[side]
    ]
    lines = ["\t".join(row) for row in (header, *reversed(rows))]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


def sides_of(documents, *, coded=True):
    """Predictions and references as the core takes them."""
    names = ("label", "code") if coded else ("label",)
    return [
        [
            [{"spans": [list(m[:2])], **dict(zip(names, m[2:], strict=False))} for m in doc]
            for doc in side
        ]
        for side in reversed(list(zip(*documents, strict=True)))
    ]
