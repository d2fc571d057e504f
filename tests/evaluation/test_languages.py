"""Scores of each language: told by a column, by names, by documents; they add up to the whole."""

import itertools
import json
import shutil
import warnings
from dataclasses import replace

import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st
from thorough import fewer

import clineval
from clineval.evaluation.analysis.breakdown import break_down
from clineval.evaluation.convert import read
from clineval.evaluation.evaluate import evaluate
from clineval.results.registry import find_challenge
from clineval.workbench import build_workbench

HEADER = "filename\tlabel\tstart_span\tend_span\ttext"
DOCUMENTS = st.lists(
    st.tuples(st.sampled_from(("en", "es", "it")), *[st.sets(st.integers(0, 5), max_size=4)] * 2),
    min_size=1,
    max_size=6,
)
"""Documents: the language, where gold mentions are, and where predicted ones are."""
COUNTS = ("strict_tp", "strict_fp", "strict_fn")


def rows_of(found, name, language):
    """Rows of a table, with or without a column of languages."""
    more = [language] if language else []
    return [
        "\t".join([name, "DISEASE", str(9 * at), str(9 * at + 4), "asma", *more]) for at in found
    ]


def tables(folder, documents, told):
    """Write both sides; the gold standard tells languages by a column, or both by names."""
    sides = []
    for side in (1, 2):
        lines = [HEADER + ("\tlanguage" if told == "column" and side == 1 else "")]
        for at, document in enumerate(documents):
            name = f"caso-{at}" if told == "column" else f"caso-{at}_{document[0]}.txt"
            lines += rows_of(document[side], name, document[0] if "language" in lines[0] else "")
        path = folder / f"{side}.tsv"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        sides.append(path)
    return sides[1], sides[0]


def lines_of_json(folder, documents):
    sides = []
    for side in (1, 2):
        path = folder / f"{side}.jsonl"
        lines = [
            {
                "id": str(at),
                "mentions": [{"spans": [[9 * a, 9 * a + 4]], "label": "DISEASE"} for a in of[side]],
                "language": of[0],
            }
            for at, of in enumerate(documents)
        ]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        sides.append(path)
    return sides[1], sides[0]


def count(documents):
    """Count by sets alone: language to hits, false positives and misses."""
    found = {}
    for language, gold, predicted in documents:
        counts = len(gold & predicted), len(predicted - gold), len(gold - predicted)
        before = found.get(language, (0, 0, 0))
        found[language] = tuple(map(sum, zip(before, counts, strict=True)))
    return {language: of for language, of in found.items() if any(of)}


@pytest.mark.parametrize("told", ["column", "names", "documents"])
@fewer(0.4)
@given(documents=DOCUMENTS, protocol=st.sampled_from(["spec", "official"]))
def test_the_groups_are_what_a_plain_count_gives(told, documents, protocol, tmp_path_factory):
    documents = [of for of in documents if of[1]] or [("es", {1}, {1})]
    folder = tmp_path_factory.mktemp("languages")
    write = lines_of_json if told == "documents" else tables
    sides = write(folder, documents, *([] if told == "documents" else [told]))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        evaluation = evaluate("multiclinai26", *sides, protocol=protocol)
    found = break_down(evaluation.outcomes, "language")
    assert {n: tuple(map(int, of[:3])) for n, of in counts_of(found).items()} == count(documents)
    assert list(found.names) == sorted(found.names)
    whole = evaluation.score()
    assert [found.counts[key].sum() for key in COUNTS] == [whole[key] for key in COUNTS]


def counts_of(found):
    rows = zip(*(found.counts[key].tolist() for key in COUNTS), strict=True)
    return dict(zip(found.names, rows, strict=True))


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_masked_predictions_have_the_languages_of_their_documents(tmp_path):
    predicted, gold = tables(tmp_path, [("es", {1}, {1}), ("it", {1}, {2})], "names")
    for path in (predicted, gold):
        path.write_text(path.read_text().replace("DISEASE", "FARMACO"))
    masked = predicted.read_text().replace("caso-0_es.txt", "m8").replace("caso-1_it.txt", "m7")
    predicted.write_text(masked)
    mapping = tmp_path / "mapping.tsv"
    mapping.write_text("caso-0_es.txt\tm8\ncaso-1_it.txt\tm7\n")
    for protocol in ("spec", "official"):
        asked = {"mapping": mapping, "protocol": protocol}
        outcomes = evaluate("multicardioner24", predicted, gold, **asked).outcomes
        expected = {"es": (1, 0, 0), "it": (0, 1, 1)}
        assert counts_of(break_down(outcomes, "language")) == expected


@pytest.fixture(name="demo")
def copy_demo(tmp_path):
    """The demo of MultiClinAI, whose gold standard has a column: gold and two systems."""
    folder = shutil.copytree(find_challenge("multiclinai26").task.corpora, tmp_path / "demo")
    return [folder / f"{of}.tsv" for of in ("gold", "tagger", "dictionary")]


def test_scores_comparisons_and_intervals(demo):
    by = ["--by", "language", "--format", "json"]
    said = json.loads(invoke(["score", "multiclinai26", *demo[:2], *by]).stdout)["groups"]
    assert list(said) == ["ca", "en", "es"]
    whole = clineval.score("multiclinai26", demo[1], demo[0])
    for key in COUNTS:
        assert sum(of[key] for of in said.values()) == whole[key]
    compared = json.loads(invoke(["compare", "multiclinai26", *demo, *by]).stdout)["groups"]
    assert set(compared) == set(said)
    for name, of in compared.items():
        assert of["systems"]["tagger"]["strict_f1"] == said[name]["strict_f1"]
    options = [*by, "--confidence", "0.95"]
    sure = json.loads(invoke(["score", "multiclinai26", *demo[:2], *options]).stdout)["groups"]
    assert all(
        of["strict_f1_low"] <= of["strict_f1"] <= of["strict_f1_high"] for of in sure.values()
    )


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_a_report_has_a_group_of_each_language_of_any_system(demo):
    gold, first, second = demo
    row = "nuevo_it.txt\tDISEASE\t0\t4\tasma\n"
    second.write_text(second.read_text("utf-8") + row, "utf-8")
    bench = build_workbench("multiclinai26", gold, {"first": first, "second": second})
    assert bench.head["groups"]["language"] == ("ca", "en", "es", "it")


class TestRefused:
    def test_a_document_of_no_language(self, run, demo):
        gold, found, _ = demo
        without = gold.with_name("without.tsv")
        rows = [line.rsplit("\t", 1)[0] for line in gold.read_text("utf-8").splitlines()]
        without.write_text("\n".join(rows) + "\n", "utf-8")
        asked = ("score", "multiclinai26", without, found, "--by", "language")
        [said] = run(*asked, status=2).stderr.splitlines()
        assert "6 documents have no language: caso-01" in said
        assert "begin or end with one of es, en" in said

    def test_a_challenge_in_one_language(self, run, tmp_path):
        tables = [tmp_path / f"{side}.tsv" for side in ("gold", "found")]
        for table in tables:
            table.write_text(f"{HEADER}\nes-1\tENFERMEDAD\t1\t5\tasma\n")
        said = run("score", "distemist22", *tables, "--by", "language", status=2).stderr
        assert "1 document has no language: es-1. Add a column 'language'" in said

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    def test_two_languages_of_one_document(self, run, demo, protocol):
        gold, found, _ = demo
        text = gold.read_text("utf-8")
        gold.write_text(text.replace("fiebre alta\tes", "fiebre alta\ten"), "utf-8")
        said = run("score", "multiclinai26", gold, found, "--protocol", protocol, status=2).stderr
        assert "gold.tsv:3: language: en here, but es in a row above" in said
        assert ":3: language" in run("validate", "multiclinai26", gold, status=2).stdout

    def test_two_languages_on_two_sides(self, demo):
        gold, _, _ = demo
        other = gold.with_name("other.tsv")
        other.write_text(gold.read_text("utf-8").replace("\tca\n", "\tes\n"), "utf-8")
        problem = "document cas-05: language: ca in the gold standard, but es in the predictions"
        with pytest.raises(clineval.InputError, match=problem):
            clineval.score("multiclinai26", other, gold)

    def test_what_is_no_code(self):
        for language in (7, "e\ns"):
            line = [json.dumps({"id": "a", "language": language, "mentions": []})]
            with pytest.raises(clineval.InputError, match="language: expected a code such as"):
                clineval.score("multiclinai26", line, line)


def in_two_languages(module):
    """The demo of a challenge as documents, every other one in English."""
    task, demo = find_challenge(module).task, find_challenge(module).demo
    texts = task.corpora / "text"
    paths = [task.corpora / demo.gold, task.corpora / next(iter(demo.systems.values()))]
    for path in paths:
        documents = read(path, module, texts=texts if texts.exists() else None)
        spoken = zip(documents, itertools.cycle(["es", "en"]), strict=False)
        yield [replace(document, language=language) for document, language in spoken]


@pytest.mark.parametrize(
    "module",
    ["clinical_spans", "i2b2_2014_deid", "meddocan19", "multiclinai26", "n2c2_2018_track2",
     "n2c2_2022_cmed", "n2c2_2022_sdoh"],
)  # fmt: skip
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_corpora_of_every_kind_keep_the_languages(module):
    """Also those that protocols make of their own: the groups add up to the corpus."""
    gold, found = in_two_languages(module)
    for protocol in find_challenge(module).protocols:
        evaluation = evaluate(module, found, gold, protocol=protocol)
        groups = break_down(evaluation.outcomes, "language")
        assert sorted(groups.names) == ["en", "es"]
        total = evaluation.counts.totals
        key = next(key for key in groups.scores if key.endswith("_tp") and key in total)
        assert sum(groups.scores[key]) == total[key] > 0


@pytest.mark.parametrize("module", ["bc5cdr", "ehealthkd20", "i2b2_2010"])
@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
def test_what_has_no_place_for_languages_says_what_to_do(module):
    gold, found = in_two_languages(module)
    outcomes = evaluate(module, found, gold).outcomes
    with pytest.raises(clineval.InputError, match="score the files of each language separately"):
        break_down(outcomes, "language")
