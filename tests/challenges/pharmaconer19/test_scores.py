"""PharmaCoNER 2019: both released scripts, a plain scorer, laws, and what is refused."""

from functools import partial

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import Oracle, name_output

import clineval
from clineval import InputError
from clineval.challenges.pharmaconer19 import definition as plain
from clineval.challenges.pharmaconer19.printed import Track, pharmaconer
from clineval.challenges.pharmaconer19.spec import LABELS
from clineval.evaluation.evaluate import evaluate
from clineval.formats.checking import find_problems

NAME = "pharmaconer19"
ORACLE = Oracle(NAME, "pharmaconer_2019")
count = partial(clineval.count, NAME)
COUNTS = ("tp", "fp", "fn")
BESIDE = ("STDERR:", "WARNING:", "ERROR!")
"""What the script says beside its report; some of it quotes the notes."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


class TestTheStandAloneScript:
    @pytest.mark.parametrize(
        "output",
        [*ORACLE.outputs("official.ner*.out"), *ORACLE.outputs("official.indexing*.out")],
        ids=name_output,
    )
    def test_what_it_prints(self, output):
        _, track, *verbose, _ = output.name.split(".")
        lines = output.read_text("utf-8").splitlines(keepends=True)
        expected = "".join(line for line in lines if not line.startswith(BESIDE))
        call = partial(self.call, output.parent, Track(track), verbose=bool(verbose))
        if "rc=1\n" in lines:
            with pytest.raises(InputError):
                call()
        else:
            assert call() == expected

    @staticmethod
    def call(folder, track, *, verbose):
        name = "subtrack1" if track is Track.ner else "subtrack2"
        run = pharmaconer(track, folder / "gold" / name, folder / "sys" / name, verbose)
        asked = {"config": run.config, "protocol": "official", **run.options}
        evaluation = evaluate(NAME, run.predictions, run.references, **asked)
        written = "".join(output.text for output in run.write(evaluation))
        return written.replace(f"(SYSTEM: {name})", "(SYSTEM: sys)")


class TestTheScriptOfTheRanking:
    @pytest.mark.parametrize(
        "output", ORACLE.outputs("official.codalab.*.scores.txt"), ids=name_output
    )
    def test_all_digits(self, output):
        folder, number = output.parent, output.name.split(".")[2][-1]
        sides = (folder / side / f"subtrack{number}" for side in ("sys", "gold"))
        indexing = {"config": "indexing", "annotations": folder / "gold" / "subtrack1"}
        options = indexing if number == "2" else {"config": "ner"}
        call = partial(score, *sides, protocol="official", **options)
        lines = output.read_text("utf-8").splitlines()
        if "rc=1" in lines:
            with pytest.raises(InputError):
                call()
            return
        result = call()
        view = "micro" if number == "2" else "strict"
        told = [line.split(" : ") for line in lines if " : " in line]
        assert len(told) == 3
        for measure, value in told:
            assert result[f"{view}_{measure.lower()}"] == pytest.approx(float(value), abs=1e-12)


PLACE = st.tuples(st.integers(0, 6), st.integers(7, 9), st.sampled_from((*LABELS, "UNCLEAR")))
MENTIONS = st.lists(st.tuples(*[st.lists(PLACE, max_size=7)] * 2), min_size=1, max_size=4)
CODE = st.sampled_from(["1", "2", "chebi:3", "CHEBI:3", "<null>", " 1 "])
CODES = st.lists(st.tuples(*[st.lists(CODE, max_size=6)] * 2), min_size=1, max_size=4)


def sides_of(documents):
    """Predictions and references as the core takes them."""
    return [
        [[{"spans": [[s, e]], "label": of} for s, e, of in doc] for doc in side]
        for side in reversed(list(zip(*documents, strict=True)))
    ]


class TestThePlainScorer:
    @pytest.mark.parametrize("unclear", ["dropped", "kept"])
    @pytest.mark.parametrize("protocol", ["spec", "official"])
    @given(MENTIONS)
    def test_mentions(self, protocol, unclear, documents):
        found, gold = sides_of(documents)
        result = clineval.score(NAME, found, gold, protocol=protocol, unclear=unclear)
        rows = [tuple(row[f"strict_{v}"] for v in COUNTS) for row in result.per_document]
        kept = unclear == "kept"
        assert rows == [plain.mentions(g, p, unclear=kept) for g, p in documents]
        labels = [*LABELS, "UNCLEAR"] if kept else LABELS
        for verdict in COUNTS:
            parts = [result[f"{label.lower()}_strict_{verdict}"] for label in labels]
            assert sum(parts) == result[f"strict_{verdict}"]

    @given(CODES)
    def test_codes(self, documents):
        gold, found = (list(side) for side in zip(*documents, strict=True))
        result = clineval.score(NAME, found, gold, config="indexing")
        rows = [tuple(row[f"micro_{v}"] for v in COUNTS) for row in result.per_document]
        assert rows == [plain.codes(g, p) for g, p in documents]

    @given(st.lists(CODE, min_size=1), st.lists(CODE), st.data())
    def test_codes_of_unclear_mentions(self, gold, found, data):
        import tempfile
        from pathlib import Path

        label = st.sampled_from(("PROTEINAS", "UNCLEAR"))
        noted = data.draw(st.lists(st.tuples(label, CODE.map(str.strip)), max_size=5))
        with tempfile.TemporaryDirectory() as name:
            lines = [
                f"T{k}\t{of} {k} {k + 1}\tx\n#{k}\tAnnotatorNotes T{k}\t{code}\n"
                for k, (of, code) in enumerate(noted, 1)
            ]
            (Path(name) / "a.ann").write_text("".join(lines))
            options = {"config": "indexing", "annotations": name}
            result = score({"a": found}, {"a": gold}, **options)
        assert tuple(result[f"micro_{v}"] for v in COUNTS) == plain.codes(gold, found, noted)


class TestLaws:
    @given(MENTIONS, st.integers(0, 9))
    def test_no_order_of_mentions_matters(self, documents, seed):
        sides = sides_of(documents)
        laws.order_of_units_does_not_matter(score, *sides, seed)
        laws.order_of_documents_does_not_matter(score, *sides, seed)
        laws.swapping_sides_swaps_precision_and_recall(score, *sides, ["strict"])
        laws.counts_of_parts_add_up(count, *sides)
        laws.counts_survive_json(count, *sides)

    @given(CODES, st.integers(0, 9))
    def test_no_order_of_codes_matters(self, documents, seed):
        gold, found = (list(side) for side in zip(*documents, strict=True))
        by_codes = partial(score, config="indexing")
        laws.order_of_units_does_not_matter(by_codes, found, gold, seed)
        laws.order_of_documents_does_not_matter(by_codes, found, gold, seed)
        laws.swapping_sides_swaps_precision_and_recall(by_codes, found, gold, ["micro"])
        laws.counts_of_parts_add_up(partial(count, config="indexing"), found, gold)
        laws.scores_are_flat_numbers(by_codes(found, gold))


class TestInput:
    def write(self, folder, **files):
        folder.mkdir()
        for stem, text in files.items():
            (folder / f"{stem}.tsv").write_text(text)
        return folder

    def test_a_file_for_each_document_or_one_for_all(self, tmp_path):
        several = self.write(tmp_path / "several", a="a\t1\na\t2\n", b="b\t1\n", c="")
        whole = tmp_path / "all.tsv"
        whole.write_text("b\t1\na\t2\na\t1\n")
        result = score(whole, several, config="indexing")
        assert (result["micro_tp"], result["micro_fp"], result["micro_fn"]) == (3, 0, 0)
        assert result["n_documents"] == 3

    @pytest.mark.parametrize(
        ("text", "said"),
        [
            ("a\t1\nb\t2\n", "a.tsv:2: expected the name of the file in the first column"),
            ("a 1\n", "a.tsv:1: expected a document, a tab, and a code"),
            ("a\t\n", "a.tsv:1: expected a code without blanks"),
            ("a\tno fever\n", "a.tsv:1: expected a code without blanks"),
            ("a\t1\tx\n", "a.tsv:1: expected a document, a tab, and a code"),
        ],
    )
    def test_bad_lines_are_refused_and_listed(self, tmp_path, text, said):
        folder = self.write(tmp_path / "side", a=text)
        laws.refuses(lambda: score(folder, folder, config="indexing"), said, text=["fever"])
        [problem] = find_problems(clineval.results.registry.find_challenge(NAME), [folder])
        assert said.partition(": ")[2] in problem.message

    @pytest.mark.parametrize(
        ("given", "said"), [(3, "expected a directory, got 3"), ("nowhere", "no such directory")]
    )
    def test_bad_annotations(self, given, said):
        call = partial(score, [[]], [[]], config="indexing", annotations=given)
        laws.refuses(call, said)

    def test_annotations_that_are_missing(self, tmp_path):
        options = {"config": "indexing", "annotations": tmp_path}
        with pytest.warns(clineval.InputWarning, match="1 document has no annotations"):
            assert score({"a": ["1"]}, {"a": ["1"]}, **options)["micro_tp"] == 1
        folder = self.write(tmp_path / "side", a="a\t1\n")
        call = partial(score, folder, folder, protocol="official", **options)
        laws.refuses(call, "1 document has no annotations, so the released script stops")

    def test_fragments(self, tmp_path):
        (tmp_path / "a.ann").write_text("T1\tPROTEINAS 0 3;5 8\tx\n")
        assert score(tmp_path, tmp_path)["strict_tp"] == 1
        call = partial(score, tmp_path, tmp_path, protocol="official")
        laws.refuses(call, "a.ann:1: expected two offsets")
