"""i2b2 2014 de-identification: the released script, a plain scorer, laws, and bad XML."""

import csv
import gzip
import re
from functools import partial

import laws
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import Oracle, name_output

import clineval
from clineval import InputError
from clineval.challenges.i2b2_2014_deid import definition as plain
from clineval.challenges.i2b2_2014_deid.printed import SECTIONS, Track, evaluate_phi
from clineval.evaluation.evaluate import evaluate
from clineval.formats.checking import find_problems
from clineval.results.registry import find_challenge

NAME = "i2b2_2014_deid"
ORACLE = Oracle(NAME)
count = partial(clineval.count, NAME)
COUNTS = ("tp", "fp", "fn")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


def score(predictions, references, **options):
    return clineval.score(NAME, predictions, references, **options).as_dict()


def call(system, gold, *, verbose=False):
    run = evaluate_phi(Track.phi, system, gold, verbose)
    evaluation = evaluate(NAME, run.predictions, run.references, protocol="official")
    return "".join(written.text for written in run.write(evaluation))


RULE = "-" * 75 + "\n"


def printed(path):
    """What the script printed, without what stood beside it; None if it stopped."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    lines = text.splitlines(keepends=True)
    if "rc=1\n" in lines:
        return None
    return "".join(line for line in lines if not line.startswith("STDERR:"))


def in_some_order(text, systems=1):
    """Exactly what was printed, but that some things may come in any order among themselves.

    Warnings and records are in the order of a folder's listing, systems in that of a dict.
    """
    lines = text.splitlines(keepends=True)
    warnings = sorted(line for line in lines if line.startswith("WARNING:"))
    report = "".join(line for line in lines if not line.startswith("WARNING:"))
    # a section ends with two blank lines, or with the rule after its records
    parts = re.split(r"(?<=\n\n\n)|(?=^Report for )", report, flags=re.MULTILINE)
    sections = [_order_records(part) for part in parts if part]
    size = len(sections) // systems
    return warnings, sorted(sections[at * size : (at + 1) * size] for at in range(systems))


def _order_records(section):
    """The heading of a section, its records in order if it has any, and what follows them."""
    head, *records = section.split(RULE)
    if not head.startswith("Report for "):
        return head, *records
    *blocks, title, rest = records
    return head, *sorted(blocks), title, rest


class TestTheReleasedScript:
    @pytest.mark.parametrize("output", ORACLE.outputs("official.out"), ids=name_output)
    def test_what_it_prints(self, output, tmp_path):
        folder = output.parent
        system = folder / "sys" if (folder / "sys").is_dir() else tmp_path  # git keeps no empty one
        expected = printed(output)
        if expected is None:
            with pytest.raises(InputError):
                call(system, folder / "gold")
        elif folder.name == "system_suffix_two_reports" or "WARNING:" in expected:
            systems = 1 + (folder.name == "system_suffix_two_reports")
            found = call(system, folder / "gold")
            assert in_some_order(found, systems) == in_some_order(expected, systems)
        else:
            assert call(system, folder / "gold") == expected

    @pytest.mark.parametrize("output", ORACLE.outputs("official.verbose.out.gz"), ids=name_output)
    def test_what_it_prints_of_each_record(self, output):
        """Records are in the order of the folder's listing there, and in that of names here."""
        found = call(output.parent / "sys", output.parent / "gold", verbose=True)
        assert in_some_order(found) == in_some_order(printed(output))

    @pytest.mark.parametrize("output", ORACLE.outputs("official.files.out"), ids=name_output)
    def test_file_against_file(self, output):
        (system,), (gold,) = (output.parent.glob(f"{side}/*.xml") for side in ("sys", "gold"))
        assert call(system, gold) == printed(output)

    @pytest.mark.parametrize("output", ORACLE.outputs("official.counts.tsv"), ids=name_output)
    def test_its_counts(self, output):
        with output.open(encoding="utf-8") as file:
            rows = list(csv.DictReader(file, delimiter="\t"))
        if not rows or output.parent.name == "system_suffix_two_reports":
            pytest.skip("it has no counts, or those of several systems")
        counts = count(output.parent / "sys", output.parent / "gold", protocol="official")
        places = {find_record(name): at for at, name in enumerate(counts.documents)}
        for row in rows:
            view, at = SECTIONS[row["section"]], places[row["document"].rstrip("-")]
            tp, fp, fn = (counts.table[at, counts.columns.index(f"{view}_{v}")] for v in COUNTS)
            expected = [int(row[key]) for key in ("gold", "tp", "system")]
            assert [tp + fn, tp, tp + fp] == expected, row


def find_record(name):
    found = re.match(r"\d+-\d+", name)
    return found[0] if found else name.rstrip("-")


TYPES = ("PATIENT", "doctor", "DATE", "IDNUM", "URL")
TEXT = "José Peña-Orvin, 67: 03/04 -- x²y z"
PLACE = st.integers(0, len(TEXT) - 1).flatmap(
    lambda s: st.tuples(
        st.just(s), st.integers(s + 1, min(s + 9, len(TEXT))), st.sampled_from(TYPES)
    )
)
DOCUMENTS = st.lists(st.tuples(*[st.lists(PLACE, max_size=7)] * 2), min_size=1, max_size=4)


def sides_of(documents):
    """Predictions and references as the core takes them."""
    return [
        [[{"spans": [[s, e]], "label": of} for s, e, of in doc] for doc in side]
        for side in reversed(list(zip(*documents, strict=True)))
    ]


def with_text(scored):
    return lambda found, gold, **options: scored(found, gold, texts=[TEXT] * len(gold), **options)


class TestThePlainScorer:
    @given(DOCUMENTS)
    def test_all_views(self, documents):
        found, gold = sides_of(documents)
        result = with_text(partial(clineval.score, NAME))(found, gold)
        each = [plain.counts(g, p, TEXT) for g, p in documents]
        for view in each[0]:
            rows = [tuple(row[f"{view}_{v}"] for v in COUNTS) for row in result.per_document]
            assert rows == [counts[view] for counts in each], view
            self.check_means(result, view, rows)

    @staticmethod
    def check_means(result, view, rows):
        filled = [(tp, fp, fn) for tp, fp, fn in rows if tp + fp + fn] or [(0, 0, 0)]
        precision = sum(tp / (tp + fp or 1) for tp, fp, _ in filled) / len(filled)
        recall = sum(tp / (tp + fn or 1) for tp, _, fn in filled) / len(filled)
        assert result[f"record_{view}_precision"] == pytest.approx(precision)
        assert result[f"record_{view}_recall"] == pytest.approx(recall)
        mean = 2 * precision * recall / (precision + recall) if precision + recall else 0
        assert result[f"record_{view}_f1"] == pytest.approx(mean)

    @given(DOCUMENTS)
    def test_categories_add_up_to_the_whole(self, documents):
        result = with_text(score)(*sides_of(documents))
        categories = ("name", "profession", "location", "age", "date", "contact", "id", "other")
        for view in ("strict", "token", "hipaa_strict", "hipaa_token"):
            for verdict in COUNTS:
                parts = [result[f"{category}_{view}_{verdict}"] for category in categories]
                assert sum(parts) == result[f"{view}_{verdict}"]
        assert sum(result[f"{c}_gold_mentions"] for c in categories) == result["gold_mentions"]


class TestLaws:
    @given(DOCUMENTS, st.integers(0, 9))
    def test_no_order_matters(self, documents, seed):
        sides = sides_of(documents)
        laws.order_of_units_does_not_matter(with_text(score), *sides, seed)
        laws.order_of_documents_does_not_matter(with_text(score), *sides, seed, near=1e-12)

    @given(DOCUMENTS)
    def test_swapping_sides(self, documents):
        views = [f"{b}{h}{m}" for b in ("", "binary_") for h in ("", "hipaa_")
                 for m in ("strict", "relaxed", "token")]  # fmt: skip
        sides = sides_of(documents)
        laws.swapping_sides_swaps_precision_and_recall(with_text(score), *sides, views)

    @given(DOCUMENTS)
    def test_wider_views_find_no_less(self, documents):
        result = with_text(score)(*sides_of(documents))
        for prefix in ("", "hipaa_", "binary_", "binary_hipaa_"):
            assert result[f"{prefix}strict_tp"] <= result[f"{prefix}relaxed_tp"]
        laws.scores_are_flat_numbers(result)

    @given(DOCUMENTS)
    def test_parts_add_up_and_survive_json(self, documents):
        found, gold = sides_of(documents)
        whole = count(found, gold, texts=[TEXT] * len(gold))
        for cut in range(1, len(gold)):
            first = count(found[:cut], gold[:cut], texts=[TEXT] * cut)
            rest = count(found[cut:], gold[cut:], texts=[TEXT] * (len(gold) - cut))
            assert (first + rest).totals == pytest.approx(whole.totals)
        assert type(whole).from_json(whole.to_json()) == whole


NOTE = "<deIdi2b2><TEXT>Seen by Dr. Groost.</TEXT><TAGS>{}</TAGS></deIdi2b2>"
TAG = '<NAME id="P0" start="{}" end="{}" TYPE="{}" />'


class TestXml:
    def test_entities_are_not_resolved(self, tmp_path):
        (tmp_path / "secret.txt").write_text("Quillfeather")
        external = (
            f'<!DOCTYPE x [<!ENTITY e SYSTEM "file://{tmp_path}/secret.txt">]>'
            "<x><TEXT>&e;</TEXT><TAGS/></x>"
        )
        laws.refuses(
            lambda: score([external], [external]),
            "entities are not supported",
            text=["Quillfeather"],
        )

    def test_a_billion_laughs(self):
        lines = ['<!ENTITY a0 "ha">']
        lines += [f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 10)]
        laughs = f"<!DOCTYPE x [{''.join(lines)}]><x><TEXT>&a9;</TEXT><TAGS/></x>"
        laws.refuses(lambda: score([laughs], [laughs]), "document types with declarations")

    def test_an_entity_that_nobody_declared(self):
        bad = NOTE.format("").replace("Dr.", "&dr;")
        laws.refuses(lambda: score([bad], [bad]), "document 0:1: not well-formed XML")

    def test_entities_of_xml_itself_are_characters(self):
        note = NOTE.format(TAG.format(0, 3, "PATIENT")).replace("Seen", "A&amp;B &#x1F600;")
        assert score([note], [note])["strict_tp"] == 1

    @pytest.mark.parametrize(
        ("content", "said"),
        [
            ("<a>".encode("utf-16"), "is not UTF-8"),
            (
                "<?xml version='1.0' encoding='ISO-8859-1'?><a>\xe9</a>".encode("latin-1"),
                "is not UTF-8",
            ),
            (b"<?xml version='1.0' encoding='ISO-8859-1'?><a/>", "another encoding is declared"),
            (b"<?xml version='1.0' encoding='klingon'?><a/>", "another encoding is declared"),
            (b"<a><b></a>", "1: not well-formed XML: mismatched tag"),
            (b"", "not well-formed XML: no element found"),
            (b"<a><TAGS/></a>", "expected an element that contains TEXT and TAGS"),
            (b"<a><TEXT>x</TEXT></a>", "expected an element that contains TEXT and TAGS"),
            (b"<a>\0</a>", "not well-formed XML"),
        ],
    )
    def test_what_cannot_be_read(self, tmp_path, content, said):
        (tmp_path / "100-01.xml").write_bytes(content)
        laws.refuses(lambda: score(tmp_path, tmp_path), "100-01.xml", said)

    @pytest.mark.parametrize(
        ("tag", "said"),
        [
            (TAG.format("x", 4, "DOCTOR"), "document 0:1: start: expected a whole number"),
            (TAG.format(-1, 4, "DOCTOR"), "start: expected a whole number"),
            (TAG.format(4, "", "DOCTOR"), "end: expected a whole number"),
            (TAG.format(4, 4, "DOCTOR"), "expected 0 <= start < end <= 19, got 4 and 4"),
            (TAG.format(4, 20, "DOCTOR"), "got 4 and 20"),
            (TAG.format(4, 6, " "), "TYPE: expected the type"),
            ('<NAME start="1" end="2" />', "TYPE: expected the type"),
            ('<NAME TYPE="DOCTOR" />', "start: expected a whole number"),
        ],
    )
    def test_bad_tags_are_refused(self, tag, said):
        bad = NOTE.format(tag)
        laws.refuses(lambda: score([bad], [NOTE.format("")]), said, text=["Groost"])

    def test_validate_lists_all_of_them(self, tmp_path):
        tags = "\n".join(TAG.format(*of) for of in ((3, 2, "A"), (0, 4, "DOCTOR"), (5, 90, "B")))
        (tmp_path / "100-01.xml").write_text(NOTE.format(tags))
        found = list(find_problems(find_challenge(NAME), [tmp_path / "100-01.xml"]))
        assert [problem.line for problem in found] == [1, 3]
        assert "got 3 and 2" in found[0].message

    def test_other_elements_and_the_case_of_types_do_not_matter(self):
        gold = NOTE.format(TAG.format(12, 18, "DOCTOR"))
        found = NOTE.format(f'<NOTE start="0" end="4" TYPE="X" />{TAG.format(12, 18, " doctor ")}')
        assert score([found], [gold])["strict_f1"] == 1.0

    def test_line_ends_are_one_character(self, tmp_path):
        for folder, end in (("gold", "\r\n"), ("found", "\n")):
            (tmp_path / folder).mkdir()
            note = (
                f"<x><TEXT>Seen by{end}Groost</TEXT><TAGS>{TAG.format(8, 14, 'DOCTOR')}</TAGS></x>"
            )
            (tmp_path / folder / "100-01.xml").write_bytes(note.encode())
        assert score(tmp_path / "found", tmp_path / "gold")["token_f1"] == 1.0

    def test_two_systems_in_a_directory_are_refused(self, tmp_path):
        for suffix in ("a", "b"):
            (tmp_path / f"100-01{suffix}.xml").write_text(NOTE.format(""))
        laws.refuses(lambda: score(tmp_path, tmp_path), "several files belong to record 100-01")

    @pytest.mark.parametrize("protocol", ["spec", "official"])
    def test_texts_that_differ_are_refused(self, protocol):
        other = NOTE.format("").replace("Groost", "Groust")
        call = partial(score, [other], [NOTE.format("")], protocol=protocol)
        laws.refuses(call, "document 0: the texts of the two sides differ from offset 15 on")


class TestWithoutTexts:
    def test_there_are_no_tokens(self):
        mention = [[{"spans": [[0, 4]], "label": "DATE"}]]
        with pytest.warns(clineval.InputWarning, match="tokens are not scored: 0"):
            result = score(mention, mention)
        assert "token_f1" not in result
        assert result["strict_f1"] == 1.0
        assert "tokens:no" in result["signature"]

    def test_tokens_count_only_where_all_parts_have_texts(self):
        mention = [[{"spans": [[0, 4]], "label": "DATE"}]]
        with pytest.warns(clineval.InputWarning, match="1 document has no text"):
            without = count(mention, mention)
        both = (without + count(mention, mention, texts=["2084"])).score()
        assert both["strict_tp"] == 2
        assert "token_f1" not in both.values
        assert "tokens:no" in str(both.signature)


def test_what_leaks_is_a_main_score():
    corpus = find_challenge(NAME).task.corpora
    score = clineval.score(NAME, corpus / "tagger", corpus / "gold")
    assert "leaked_mentions_share" in score.headline
