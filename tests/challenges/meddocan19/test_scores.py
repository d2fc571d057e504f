"""MEDDOCAN 2019: the released script, a plain scorer, laws, and what is refused."""

from functools import partial

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import Oracle, name_output
from thorough import thorough

import clineval
from clineval import Document, InputError, Mention
from clineval.challenges.meddocan19 import definition as plain
from clineval.challenges.meddocan19.printed import Track, meddocan
from clineval.challenges.meddocan19.spec import LABELS
from clineval.evaluation.evaluate import evaluate

NAME = "meddocan19"
ORACLE = Oracle(NAME, "meddocan_2019")
count = partial(clineval.count, NAME)
COUNTS = ("tp", "fp", "fn")
BESIDE = ("STDERR:", "WARNING:", "ERROR!", "File '")
"""What the script says beside its report; some of it quotes the notes."""
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


class TestTheReleasedScript:
    @pytest.mark.parametrize("output", ORACLE.outputs("official.*.out"), ids=name_output)
    def test_what_it_prints(self, output, tmp_path):
        _, form, track, *verbose, _ = output.name.split(".")
        text = output.read_text("utf-8")
        lines = text.splitlines(keepends=True)
        expected = "".join(line for line in lines if not line.startswith(BESIDE))
        call = partial(self.call, output.parent, form, track, tmp_path, verbose=bool(verbose))
        if "rc=1\n" in lines:
            with pytest.raises(InputError):
                call()
        else:
            assert call() == expected

    @staticmethod
    def call(folder, form, track, nowhere, *, verbose):
        system = folder / "sys" / form
        gold = folder / "gold" / form
        system = system if system.is_dir() else nowhere  # git keeps no empty one
        run = meddocan(form, Track(track), gold, system, verbose, folder / "sentence_splitted")
        asked = {"config": run.config, "protocol": "official", **run.options}
        evaluation = evaluate(NAME, run.predictions, run.references, **asked)
        written = "".join(output.text for output in run.write(evaluation))
        return written.replace(f"(SYSTEM: {form})", "(SYSTEM: sys)")

    @pytest.mark.parametrize(
        "output", ORACLE.outputs("official.codalab.*.scores.txt"), ids=name_output
    )
    def test_all_digits_of_the_ranking(self, output):
        text = output.read_text("utf-8")
        if "ERROR" in text or "rc=1" in text or "Leak : NA" in text:
            pytest.skip("it has no numbers")
        folder, form = output.parent, output.name.split(".")[2]
        sides = folder / "sys" / form, folder / "gold" / form
        sentences = folder / "sentence_splitted"
        result = score(*sides, protocol="official", sentences=sentences)
        views = {"Subtask1": "strict", "Subtask2Strict": "span", "Subtask2Merged": "merged"}
        for line in text.splitlines():
            key, _, value = line.partition(" : ")
            task, measure = key.split("_")
            ours = "leak" if measure == "Leak" else f"{views[task]}_{measure.lower()}"
            assert result[ours] == pytest.approx(float(value), abs=1e-12), key


TEXT = "Ana, Paz y José²; 3º B_C - (D)"
STARTS, KINDS = st.integers(0, len(TEXT) - 1), st.sampled_from(LABELS[:3])
PLACE = STARTS.flatmap(
    lambda s: st.tuples(st.just(s), st.integers(s + 1, min(s + 8, len(TEXT))), KINDS)
)
DOCUMENTS = st.lists(st.tuples(*[st.lists(PLACE, max_size=7)] * 2), min_size=1, max_size=4)


def sides_of(documents):
    """Predictions and references as the core takes them."""
    return [
        [[{"spans": [[s, e]], "label": of} for s, e, of in doc] for doc in side]
        for side in reversed(list(zip(*documents, strict=True)))
    ]


def with_text(found, gold, **options):
    return score(found, gold, texts=[TEXT] * len(gold), **options)


class TestThePlainScorer:
    @given(DOCUMENTS)
    def test_both_sub_tracks(self, documents):
        found, gold = sides_of(documents)
        result = clineval.score(NAME, found, gold, texts=[TEXT] * len(gold))
        each = [plain.counts(g, p, TEXT) for g, p in documents]
        for view in each[0]:
            rows = [tuple(row[f"{view}_{v}"] for v in COUNTS) for row in result.per_document]
            assert rows == [counts[view] for counts in each], view

    @given(DOCUMENTS)
    def test_labels_add_up(self, documents):
        result = with_text(*sides_of(documents))
        for verdict in COUNTS:
            parts = [result[f"{label.lower()}_strict_{verdict}"] for label in LABELS]
            assert sum(parts) == result[f"strict_{verdict}"]


class TestLaws:
    @given(DOCUMENTS, st.integers(0, 9))
    def test_no_order_matters(self, documents, seed):
        sides = sides_of(documents)
        laws.order_of_units_does_not_matter(with_text, *sides, seed)
        laws.order_of_documents_does_not_matter(with_text, *sides, seed)

    @given(DOCUMENTS)
    def test_swapping_sides(self, documents):
        views = ["strict", "span", "merged"]
        laws.swapping_sides_swaps_precision_and_recall(with_text, *sides_of(documents), views)

    @given(DOCUMENTS)
    def test_configurations_are_parts_of_the_whole(self, documents):
        found, gold = sides_of(documents)
        whole = with_text(found, gold)
        for config in ("ner", "spans"):
            part = with_text(found, gold, config=config)
            del part["signature"]
            tracked = {
                key: n for key, n in part.items() if "leaked" not in key and "gold_" not in key
            }
            assert tracked.items() <= whole.items()
            laws.scores_are_flat_numbers(part)

    @thorough
    @given(DOCUMENTS)
    def test_counts_survive_json(self, documents):
        laws.counts_survive_json(count, *sides_of(documents))


def mention(*fragments, label="FECHAS"):
    return {"spans": [list(fragment) for fragment in fragments], "label": label}


class TestRules:
    def test_every_fragment_is_a_span(self):
        gold, found = [[mention((0, 3), (5, 8))]], [[mention((0, 3)), mention((5, 8))]]
        result = with_text(found, gold)
        assert (result["strict_tp"], result["span_tp"], result["merged_tp"]) == (0, 2, 1)

    def test_without_a_text_only_touching_spans_merge(self):
        gold, found = [[mention((0, 3), (5, 8))]], [[mention((0, 8))]]
        with pytest.warns(clineval.InputWarning, match="has no text"):
            assert score(found, gold)["merged_tp"] == 0
        assert with_text(found, gold)["merged_tp"] == 1

    def test_leak_by_sentences(self):
        gold = {"caso": [mention((0, 3)), mention((5, 8))]}
        sides = [[{"spans": [[0, 3]], "label": "FECHAS"}]], list(gold.values())
        result = score(*sides, sentences={"0": 4})
        assert (result["leak"], result["sentences"]) == (0.25, 4)
        assert "leak" not in score(*sides)
        with pytest.warns(clineval.InputWarning, match="of 1 document is unknown"):
            assert score(*sides, sentences={})["leak"] == 0

    @pytest.mark.parametrize(("protocol", "lines"), [("spec", 2), ("official", 4)])
    def test_lines_of_sentences(self, tmp_path, protocol, lines):
        for folder, words in (("g", "T1\tFECHAS 0 3\tAna\n"), ("s", "")):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "a.ann").write_text(words)
            (tmp_path / folder / "a.txt").write_text(TEXT)
        (tmp_path / "sentences").mkdir()
        (tmp_path / "sentences" / "a.ann").write_text("T1\tS 0 3\tx\n\n#1\tnote\nT2\tS 4 9\ty\n")
        sides = tmp_path / "s", tmp_path / "g"
        result = score(*sides, sentences=tmp_path / "sentences", protocol=protocol)
        assert (result["sentences"], result["leak"]) == (lines, 1 / lines)

    @pytest.mark.parametrize(
        ("given", "said"),
        [("nowhere", "no such directory"), ({"a": -1}, "expected a directory"), (3, "got 3")],
    )
    def test_bad_sentences(self, given, said):
        laws.refuses(lambda: score([[]], [[]], sentences=given), said)

    @pytest.mark.parametrize(
        ("lines", "said"),
        [
            ("T1 FECHAS 0 3 Ana\n", "a.ann:1"),
            ("T1\tFECHAS 0\tAna\n", "a.ann:1"),
            ("T1\tFECHAS 3 3\tAna\n", "a.ann:1: the end is not after the start"),
            ("T1\tFECHAS 0 99\tAna\n", "offset 99 is outside the text"),
            ("Paz\n", "a.ann:1: not a line of brat's format"),
        ],
    )
    def test_bad_lines_of_brat(self, tmp_path, lines, said):
        (tmp_path / "a.ann").write_text(lines)
        (tmp_path / "a.txt").write_text(TEXT)
        laws.refuses(lambda: score(tmp_path, tmp_path), said, text=["Ana"])

    def test_line_ends_are_one_character(self, tmp_path):
        for folder, end in (("g", "\r\n"), ("s", "\n")):
            (tmp_path / folder).mkdir()
            (tmp_path / folder / "a.txt").write_bytes(f"Ana{end}Paz y".encode())
        (tmp_path / "g" / "a.ann").write_text("T1\tFECHAS 0 3\tAna\nT2\tFECHAS 4 7\tPaz\n")
        (tmp_path / "s" / "a.ann").write_text("T1\tFECHAS 0 7\tAna Paz\n")
        assert score(tmp_path / "s", tmp_path / "g")["merged_f1"] == 1.0


def test_texts_of_documents_on_one_side_only():
    """Those of predictions alone have no number; those without names go by their places."""
    mention = Mention([(0, 5)], None, {"label": LABELS[0]}, coded=False)
    named = [Document("d1", [mention], "x y z")]
    laws.refuses(lambda: score(named, [], protocol="official"), "1 document with predictions and 0")
    assert score(named, [[mention.as_dict()]], protocol="official")["strict_tp"] == 1
    assert score([*named, Document("d2", [], "x")], named, protocol="official")["strict_tp"] == 1


@pytest.mark.parametrize("offsets", ["0 -1", "-5 -2", "0 9999999999"])
def test_offsets_that_no_text_has_are_refused_as_the_script_reads_them(offsets):
    files = [f"T1\tPAIS {offsets}\tx\n"]
    laws.refuses(lambda: clineval.score("meddocan19", files, files, protocol="official"), "offsets")
