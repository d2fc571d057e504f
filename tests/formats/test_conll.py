"""Words with tags: CoNLL's columns, read as conlleval and seqeval read them."""

import json
import random

import laws
import pytest
from commands import invoke
from hypothesis import given
from hypothesis import strategies as st
from seqeval.metrics import f1_score, precision_score, recall_score

import clineval
from clineval.evaluation.convert import read_documents, write

SCHEMES = {"iob2": "BI", "bioes": "BIES", "bilou": "BILU"}
GOLD = """\
-DOCSTART- -X- -X- O

Torsade NN O B-Disease
de NN O I-Disease
pointes NN O I-Disease
ventricular NN O B-Disease
tachycardia NN O I-Disease
after NN O O

dobutamine NN O B-Chemical
. NN O O
-DOCSTART- -X- -X- O

No NN O O
pain NN O B-Disease
"""


def put(folder, name, content):
    path = folder / name
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(content, "utf-8")
    return path


def read(path):
    return [
        (d.id, d.text, [(*m.spans, m.slots["label"]) for m in d.mentions])
        for d in read_documents(path, "conll")
    ]


def test_offsets_are_of_the_words_joined_by_blanks_and_of_sentences_joined_by_line_ends(tmp_path):
    text = "Torsade de pointes ventricular tachycardia after\ndobutamine ."
    first = [((0, 18), "Disease"), ((19, 42), "Disease"), ((49, 59), "Chemical")]
    expected = [("1", text, first), ("2", "No pain", [((3, 7), "Disease")])]
    assert read(put(tmp_path, "gold.conll", GOLD)) == expected
    for content in (
        GOLD.replace(" ", "\t"),
        GOLD.replace("\n", "\r\n"),
        "\ufeff" + GOLD,
        GOLD + "\n\n",
        GOLD.replace("\n\n", "\n\n\n"),
    ):
        assert read(put(tmp_path, "other.conll", content)) == expected


@pytest.mark.parametrize(
    ("marks", "names"),
    [
        (("# id = a b", "# id = c"), ["a b", "c"]),
        (("# id 52-a\tdomain=train", "# id 53"), ["52-a", "53"]),
        (("###MEDLINE:95369245\n", "###MEDLINE:95369246\n"), ["95369245", "95369246"]),
        (("-DOCSTART- (8701013)\n", "-DOCSTART- (439781)\n"), ["8701013", "439781"]),
        (("-DOCSTART-\tO\n\n# id = a", "-DOCSTART-\tO\n\n# id = b"), ["a", "b"]),
        (("# newdoc id = a\n# sent_id = 1", "# id = b\n# text = leg pain"), ["a", "b"]),
        (("-DOCSTART-\tO\n\n", "-DOCSTART-\tO\n\n"), ["1", "2"]),
        (("# id = a\n# id = a", "# id = b"), ["a", "b"]),
    ],
)
def test_marks_begin_documents(tmp_path, marks, names):
    first, second = marks
    content = f"{first}\nleg\tB-Part\n#\tO\n{second}\n# id = x\tO\n".replace(
        "# id = x\tO", "#id\tO"
    )
    found = read(put(tmp_path, "a.conll", content))
    assert [(name, text) for name, text, _ in found] == [(names[0], "leg #"), (names[1], "#id")]


def test_empty_documents_count(tmp_path):
    content = "# id = a\n# id = b\nleg\tB-Part\n# id = c\n"
    found = read(put(tmp_path, "a.conll", content))
    assert [(name, text) for name, text, _ in found] == [("a", ""), ("b", "leg"), ("c", "")]
    starts = put(tmp_path, "b.conll", "-DOCSTART- O\n\n-DOCSTART- O\n\nleg B-Part\n")
    assert [text for _, text, _ in read(starts)] == ["", "leg"]


def test_a_directory_has_a_file_for_each_document(tmp_path):
    for side in ("gold", "pred"):
        put(tmp_path / side, "n1.tsv", "leg\tB-Part\n.\tO\n")
        put(tmp_path / side, "n2.tsv", "no\tO\n")
    result = clineval.score("clinical_spans", tmp_path / "pred", tmp_path / "gold")
    assert list(result.counts.documents) == ["n1", "n2"]
    assert result["strict_tp"] == 1
    put(tmp_path / "several", "x.conll", GOLD)
    assert [name for name, _, _ in read(tmp_path / "several")] == ["x-1", "x-2"]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("token\tner_tags\nleg\tB-Part\n", {}),
        ("ner\tpos\tword\nB-Part\tNN\tleg\n", {"tag_column": "ner"}),
        ("id\ttoken\tx\nB-Part\tleg\tNN\n", {"tag_column": 1}),
        ("leg\tB-Part\tNN\n", {"tag_column": "2"}),
        ("leg\tB-Part\n", {"tag_column": 2}),
        ("leg\tB\n", {"tag_label": "Part"}),
        ("leg\tB-\n", {"tag_label": "Part"}),
        ("leg\tS\n", {"labels": ["Part"]}),
        ("leg\tU-Part\n", {"tag_scheme": "bilou"}),
    ],
)
def test_columns_headers_and_labels(tmp_path, content, options):
    path = put(tmp_path, "a.tsv", content)
    gold = [{"mentions": [{"spans": [[0, 3]], "label": "Part"}], "text": "leg"}]
    result = clineval.score("clinical_spans", path, gold, **options)
    assert (result["strict_tp"], result["strict_fp"], result["part_strict_f1"]) == (1, 0, 1)


@pytest.mark.parametrize(
    ("content", "options", "parts"),
    [
        ("leg\tB-Part\nQuillfeather\tX-Part\n", {}, ("a.conll:2: expected a tag",)),
        ("leg\tB-Part\nQuillfeather\n", {}, ("a.conll:2: expected a word and a tag, got one",)),
        ("leg\tB-Part\nQuill\tfeather\tO\n", {}, ("a.conll:2: expected 2 columns", "got 3")),
        ("leg\tB-Part\n\tO\n", {}, ("a.conll:2: the line has a tag and no word",)),
        ("leg\tB-Part\n", {"tag_column": 3}, ("a.conll:1: there is no column 3",)),
        ("leg\tB-Part\n", {"tag_column": "9" * 5000}, ("a.conll:1: there is no column 999",)),
        ("leg\tB-Part\n", {"tag_column": 10**5000}, ("tag_column: expected the number",)),
        ("leg\tB-Part\n", {"tag_column": "ner"}, ("a.conll:1", "names no column ner")),
        ("leg\tB-Part\n", {"tag_column": 1}, ("tag_column: the column of tags is the column of",)),
        ("leg\tB-Part\n", {"tag_column": 0}, ("tag_column: expected the number", "got 0")),
        ("leg\tB-Part\n", {"tag_scheme": "io"}, ("unknown tag_scheme 'io'", "iob2")),
        ("leg\tS-Part\n", {"tag_scheme": "iob2"}, ("tag_scheme: iob2 does not have the prefix S",)),
        ("leg\tS-Part\narm\tU-Part\n", {}, ("the prefixes S, U belong to different schemes",)),
        ("leg\tO\narm\tI\n", {}, ("a.conll:2: the tag has no label",)),
        ("leg\tB\n", {"tag_label": " "}, ("tag_label: expected a label",)),
        ("# id = a\nleg\tO\n# id = b\n# id = a\n", {}, ("has the same 'id' as", "a.conll:2")),
        (
            "# id = a\nleg\tO\n-DOCSTART-\tO\n",
            {},
            ("some documents have ids, and others do not: 2",),
        ),
    ],
)
def test_bad_input_is_rejected_with_its_place(tmp_path, content, options, parts):
    path = put(tmp_path, "a.conll", content)
    secret = ["Quill", "feather"]
    laws.refuses(
        lambda: clineval.score("clinical_spans", path, path, **options), *parts, text=secret
    )


def test_validate_lists_all_lines(tmp_path):
    path = put(tmp_path, "a.conll", "leg\tB-Part\narm\tX\nno\nand\tX\n")
    done = invoke(["validate", "clinical_spans", path, "--json"])
    assert [each["line"] for each in json.loads(done.stdout)["problems"]] == [2, 3, 4]
    assert invoke(["validate", "clinical_spans", put(tmp_path, "b.conll", GOLD)]).exit_code == 0
    bare = put(tmp_path, "c.tsv", "leg\tB\n")
    assert invoke(["validate", "clinical_spans", bare, "--tag-label", "Part"]).exit_code == 0


class TestWords:
    """Both sides must have the same words."""

    def test_another_word_is_an_error_with_the_lines_of_both_sides(self, tmp_path):
        gold = put(tmp_path, "gold.conll", GOLD)
        found = put(tmp_path, "found.conll", GOLD.replace("pain", "Quillfeather"))
        where = f"{tmp_path.name}/found.conll:15: the words of the two sides differ"
        laws.refuses(
            lambda: clineval.score("clinical_spans", found, gold),
            *(where, f"at {tmp_path.name}/gold.conll:15"),
            text=["Quillfeather", "pain"],
        )

    @pytest.mark.parametrize(
        "change", [("after NN O O\n\n", "after NN O O\n"), ("pain NN O B-Disease\n", "")]
    )
    def test_so_is_a_missing_word_or_sentence(self, tmp_path, change):
        gold = put(tmp_path, "gold.conll", GOLD)
        found = put(tmp_path, "found.conll", GOLD.replace(*change))
        message = "the words of the two sides differ"
        laws.refuses(lambda: clineval.score("clinical_spans", found, gold), message)
        laws.refuses(lambda: clineval.score("clinical_spans", gold, found), message)

    def test_so_is_another_text(self, tmp_path):
        found = put(tmp_path, "found.conll", "leg\tB-Part\n.\tO\n")
        gold = [{"mentions": [{"spans": [[0, 3]], "label": "Part"}], "text": "leg."}]
        message = "the texts of the two sides differ from offset 3 on"
        laws.refuses(lambda: clineval.score("clinical_spans", found, gold), message)
        laws.refuses(
            lambda: clineval.score("clinical_spans", gold, found, texts=["leg."]),
            "the text is not the words joined by blanks",
        )

    def test_without_a_text_a_warning_counts_documents(self, tmp_path):
        found = put(tmp_path, "found.conll", "leg\tB-Part\n.\tO\n")
        gold = [[{"spans": [[0, 3]], "label": "Part"}]]
        with pytest.warns(clineval.InputWarning, match="1 document has words on one side and no"):
            assert clineval.score("clinical_spans", found, gold)["strict_tp"] == 1


class TestSchemes:
    """The scheme that fits best is found, and tags that do not follow it are counted."""

    @pytest.mark.parametrize(
        "tags",
        [
            "B-A I-A O B-A B-A B-C", "I-A I-A O I-A B-A I-C", "I-A O I-C", "O O",
            "B-A E-A S-A O B-C I-C E-C", "B-A L-A U-A O", "S-A",
        ],
    )  # fmt: skip
    def test_regular_tags_need_no_warning(self, tmp_path, tags):
        read(put(tmp_path, "a.conll", lines_of([tags.split()])))  # warnings are errors in tests

    @pytest.mark.parametrize(
        ("tags", "warning"),
        [
            ("B-A O I-A O B-C I-C", "1 tag does not follow the scheme IOB2.*IOB1 fits no better"),
            ("B-A I-A O I-A O I-A I-C O B-A O B-A O B-A", "3 tags do not follow the scheme IOB2"),
            ("I-A B-A O B-A O I-A", "1 tag does not follow the scheme IOB1, and is read as"),
            ("B-A O E-A O S-A I-A", "3 tags do not follow the scheme BIOES"),
            ("B-A L-C", "2 tags do not follow the scheme BILOU"),
        ],
    )
    def test_irregular_tags_are_counted(self, tmp_path, tags, warning):
        with pytest.warns(clineval.InputWarning, match=warning):
            read(put(tmp_path, "a.conll", lines_of([tags.split()])))

    def test_a_mention_ends_with_its_sentence(self, tmp_path):
        with pytest.warns(clineval.InputWarning, match="1 tag does not follow"):
            [(_, _, found)] = read(put(tmp_path, "a.conll", lines_of([["B-A"], ["I-A"]])))
        assert found == [((0, 2), "A"), ((3, 5), "A")]


def lines_of(sentences):
    rows = ("".join(f"w{n}\t{tag}\n" for n, tag in enumerate(tags)) for tags in sentences)
    return "\n".join(rows)


def chunks_of(tags):
    """The chunks of conlleval.pl, by its rules startOfChunk and endOfChunk; S and U are alone."""
    before, found, begin = ("O", ""), set(), None
    for at, tag in enumerate([*tags, "O"]):
        now = tuple(tag.partition("-")[::2])
        ends = before[0] != "O" and (before[0] in "ELSU" or now[0] in "BOSU" or before[1] != now[1])
        begins = now[0] != "O" and (before[0] in "OELSU" or now[0] in "BSU" or before[1] != now[1])
        if ends:
            found.add((begin, at, before[1]))
        if begins:
            begin = at
        before = now
    return found


def sequences(letters):
    tags = st.sampled_from(["O", *(f"{p}-{label}" for p in letters for label in ("A", "C"))])
    return st.lists(st.lists(tags, min_size=1, max_size=9), min_size=1, max_size=4)


@pytest.mark.filterwarnings("ignore:.*scheme:clineval.InputWarning")
@pytest.mark.parametrize("letters", SCHEMES.values())
@given(data=st.data())
def test_any_tags_give_the_chunks_of_conlleval(tmp_path_factory, letters, data):
    sentences = data.draw(sequences(letters))
    path = put(tmp_path_factory.mktemp("tags"), "a.conll", lines_of(sentences))
    [(_, text, mentions)] = read(path)
    words, offset, expected = text.split("\n"), 0, []
    for sentence, tags in zip(words, sentences, strict=True):
        starts = [offset + 3 * n for n in range(len(tags))]
        expected += [((starts[a], starts[b - 1] + 2), label) for a, b, label in chunks_of(tags)]
        offset += len(sentence) + 1
    assert sorted(mentions) == sorted(expected)


@pytest.mark.filterwarnings("ignore:.*(scheme|do not occur|does not occur):clineval.InputWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.UndefinedMetricWarning")
@pytest.mark.parametrize("letters", ["BI", "BIES"])
def test_scores_are_those_of_seqeval(tmp_path, letters):
    draw = random.Random(7)
    tags = ["O", *(f"{p}-{label}" for p in letters for label in ("A", "C"))]
    for number in range(20):
        sizes = [draw.randint(1, 9) for _ in range(4)]
        gold, found = ([[draw.choice(tags) for _ in range(n)] for n in sizes] for _ in range(2))
        sides = [
            put(tmp_path, f"{side}{number}.conll", lines_of(rows))
            for side, rows in (("gold", gold), ("found", found))
        ]
        result = clineval.score("clinical_spans", sides[1], sides[0])
        for key, scorer in (("f1", f1_score), ("precision", precision_score),
                            ("recall", recall_score)):  # fmt: skip
            expected = scorer(gold, found, zero_division=0)
            assert result[f"strict_{key}"] == pytest.approx(expected)


LINES = st.sampled_from(
    ["", " ", "\t", "leg\tB-A", "leg B-A", "leg\tI-A\tx", "B-A\tO", "#\tO", "# id = a", "# id", "-",
     "-DOCSTART-", "-DOCSTART- (b) O", "-DOCSTART-\tO", "###MEDLINE:7", "# text = x", "\u00a0\tO",
     "token\ttag", "leg\tB", "leg\tS-", "l\u2028g\tO", "\x0c\tO", "e\u0301\tE-A",
     "O", "leg\tB-\u00e9"]
)  # fmt: skip


@pytest.mark.filterwarnings("ignore::clineval.InputWarning")
@given(st.lists(LINES | st.text(max_size=12), max_size=12), st.sampled_from(["", "A"]))
def test_any_lines_are_read_or_rejected_with_their_place(tmp_path_factory, lines, label):
    path = put(tmp_path_factory.mktemp("lines"), "a.conll", "\n".join(lines))
    options = {"tag_label": label} if label else {}
    try:
        documents = clineval.read(path, "clinical_spans", **options)
        result = clineval.score("clinical_spans", path, path, **options)
    except clineval.InputError as error:
        places = "a.conll", "belong to different schemes"
        if not any(place in str(error) for place in places):
            raise
        return
    mentions = {(n, m) for n, d in enumerate(documents) for m in d.mentions}
    assert all(d.text[m.spans[0][0] : m.spans[0][1]].strip() for d in documents for m in d.mentions)
    assert result["strict_tp"] == len(mentions)
    assert (result["strict_fp"], result["strict_fn"]) == (0, 0)


class TestFaces:
    """The format is read wherever clinical_spans and similar metrics read files."""

    @pytest.mark.filterwarnings("ignore:.*IOB2:clineval.InputWarning")
    @pytest.mark.parametrize("words", [
        ["score"], ["errors"], ["agreement"], ["score", "--by", "label"], ["compare"],
        ["score", "--confidence", "0.9"],
    ])  # fmt: skip
    def test_commands(self, tmp_path, words):
        gold = put(tmp_path, "gold.conll", GOLD)
        found = put(tmp_path, "found.conll", GOLD.replace("pain NN O B", "pain NN O I"))
        command, *more = words
        sides = [gold, found, gold] if command == "compare" else [gold, found]
        done = invoke([command, "clinical_spans", *sides, *more])
        assert done.exit_code == 0, done.output

    def test_other_metrics_of_labels(self, tmp_path):
        path = put(tmp_path, "a.conll", "Ana\tB-FECHAS\n.\tO\n")
        assert clineval.score("meddocan19", path, path)["strict_tp"] == 1
        laws.refuses(lambda: clineval.score("semeval15_task14", path, path), "words with tags")
        laws.refuses(lambda: clineval.score("distemist22", path, path), "words with tags")

    def test_read_and_texts(self, tmp_path):
        path = put(tmp_path, "a.tsv", "leg\tB-Part\n.\tO\n")
        [document] = clineval.read(path, "clinical_spans")
        assert (document.text, document.mentions[0].spans) == ("leg .", ((0, 3),))

    def test_convert_reads_options(self, tmp_path):
        path = put(tmp_path, "a.tsv", "leg\tB\tNN\n.\tO\tX\n")
        words = ["--from", "conll", "--tag-column", 2, "--tag-label", "Part"]
        assert invoke(["convert", path, tmp_path / "a.jsonl", *words]).exit_code == 0
        [document] = clineval.read(tmp_path / "a.jsonl", "clinical_spans")
        assert document.mentions[0].as_dict() == {"spans": [[0, 3]], "label": "Part"}
        done = invoke(["convert", path, tmp_path / "b.jsonl", *words[:4]])
        assert "a.tsv:1: the tag has no label" in str(done.exception)


class TestWriting:
    """What tags can express is written and read again."""

    def test_round_trip(self, tmp_path):
        path = put(tmp_path, "gold.conll", GOLD)
        first = read_documents(path, "conll")
        write(first, tmp_path / "again.conll", "conll")
        assert read_documents(tmp_path / "again.conll", "conll") == first

    def test_what_is_lost_is_counted(self, tmp_path):
        label = {"label": "Part"}
        mentions = [
            clineval.Mention(spans, slots=label, coded=False)
            for spans in ([(0, 3), (8, 11)], [(4, 7)], [(4, 11)], [(12, 20)])
        ]
        document = clineval.Document("a", mentions, "leg arm toe\u00a0two\nlines")
        with pytest.warns(clineval.InputWarning, match="cannot express 3 mentions, which are lost"):
            write([document], tmp_path / "a.conll", "conll")
        lines = (tmp_path / "a.conll").read_text("utf-8").splitlines()
        assert lines == ["# id = a", "leg\tB-Part", "arm\tB-Part", "toe\tI-Part", "two\tB-Part",
                         "", "line\tB-Part", "s\tO", ""]  # fmt: skip

    def test_texts_and_labels_are_needed(self, tmp_path):
        document = clineval.Document("a", [clineval.Mention([(0, 3)], "C1")], "leg")
        out = tmp_path / "a.conll"
        laws.refuses(lambda: write([document], out, "conll"), "a mention has no label")
        laws.refuses(lambda: write([clineval.Document("a")], out, "conll"), "need the text")
        starts = clineval.Document("a", [], "-DOCSTART- x")
        laws.refuses(lambda: write([starts], out, "conll"), "the text contains the word")
