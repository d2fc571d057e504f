"""Replays of the evaluation libraries that read tables of mentions, and random such tables."""

import re
from functools import partial

import laws
import pytest
from hypothesis import strategies as st

import clineval
from clineval import InputError
from clineval.definitions import linked_spans as plain
from clineval.evaluation.evaluate import evaluate


def replay(challenge, command, folder, task):
    """What a library's stand-in prints and writes for a folder with a case."""
    run = command(*(folder / f"{side}.{task}.tsv" for side in ("gold", "pred")))
    asked = {"config": run.config, "protocol": "official", **run.options}
    evaluation = evaluate(challenge, run.predictions, run.references, **asked)
    written = list(run.write(evaluation))
    printed = "".join(each.text for each in written if not each.file).replace(f"{folder}/", "")
    return printed, "".join(each.text for each in written if each.file)


def check(output, call):
    """Compare a recorded output, and the results file beside it, with what ``call`` gives."""
    expected = output.read_text("utf-8")
    if "rc=1" in expected:
        with pytest.raises(InputError):
            call()
        return
    printed, written = call()
    lines = expected.splitlines(keepends=True)
    said = "".join(line for line in lines if not line.startswith("STDERR:"))
    assert re.sub(r"\d{8}_\d{6}", "TIME", printed) == said
    file = output.with_suffix(".txt")
    assert written == (file.read_text("utf-8") if file.exists() else "")


PLACE = st.tuples(st.integers(0, 6), st.integers(7, 9))


def mentions(labels, codes=()):
    """Documents, each a list of gold and one of predicted (start, end, label[, code])."""
    values = [st.sampled_from(labels), *([st.sampled_from(codes)] if codes else [])]
    one = st.tuples(PLACE, *values).map(lambda m: (*m[0], *m[1:]))
    return st.lists(st.tuples(*[st.lists(one, max_size=7)] * 2), min_size=1, max_size=4)


def write_table(path, documents, side):
    """Write one side of such documents as a table; mentions of documents are mixed."""
    header = ["filename", "label", "start_span", "end_span", "text", "code"]
    rows = [
        [f"d{at}", m[2], str(m[0]), str(m[1]), "x", *(m[3:] or [""])]
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


COUNTS = ("tp", "fp", "fn")


def rows_of(result, match):
    """The counts of each document under a kind of match."""
    return [tuple(row[f"{match}_{v}"] for v in COUNTS) for row in result.per_document]


def agree_with_plain(name, documents, *, config, separators="+"):
    """Whether the counts of lists of mentions under ``spec`` are those of the plain scorer."""
    result = clineval.score(name, *sides_of(documents), config=config)
    of = partial(plain.strict, separators=separators)
    assert rows_of(result, "strict") == [of(g, p) for g, p in documents]
    if config != "norm":
        return
    of = partial(plain.linked, separators=separators)
    assert rows_of(result, "linked") == [of(g, p) for g, p in documents]


def agree_with_tables(name, documents, folder, *, config):
    """Whether tables have the scores of lists."""
    coded = config in ("norm", "multi")
    gold, found = (write_table(folder / f"{side}.tsv", documents, side) for side in (0, 1))
    lists = clineval.score(name, *sides_of(documents, coded=coded), config=config)
    tables = clineval.score(name, found, gold, config=config)
    for match in ("strict", "linked") if coded else ("strict",):
        counts = [[of[f"{match}_{v}"] for v in COUNTS] for of in (lists, tables)]
        assert counts[0] == counts[1]


def obey_the_laws(name, documents, seed, *, config, matches):
    """Orders do not matter, sides swap, counts add up and survive JSON."""
    sides = sides_of(documents, coded=config in ("norm", "multi"))

    def score(*given):
        return clineval.score(name, *given, config=config).as_dict()

    count = partial(clineval.count, name, config=config)
    laws.order_of_units_does_not_matter(score, *sides, seed)
    laws.order_of_documents_does_not_matter(score, *sides, seed)
    laws.swapping_sides_swaps_precision_and_recall(score, *sides, matches)
    laws.counts_of_parts_add_up(count, *sides)
    laws.counts_survive_json(count, *sides)
