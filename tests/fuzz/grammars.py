"""Files put together from the parts of their formats, which is deeper than changing good ones gets.

Lines are whole and mostly sound; their mentions overlap, lie in one another or repeat, and now and
then a number, a word or a separator is one that nobody wrote by hand.
"""

import json
import re
from itertools import count as count_up

import pyarrow as pa
from canary import NOTE
from hypothesis import strategies as st

from fuzz.mutations import HUGE

ODD_NUMBERS = (
    HUGE, "0" * 5000 + "3", "9" * 19, "9" * 20, str(2**31 - 1), str(2**31), str(2**63), str(2**64),
    "-1", "+3", "1_0", "3.5", "1e3", "٣", "", " 4", "4 ", "4\x1c", "4\x1f", "\x1d4", "x",
)  # fmt: skip
ODD_WORDS = (
    "", "-", "-1", "nm", "NULL", "CUI-less", "\x1c", "\x1f", "\u3000", "\u0378", "\ufeff", "a b",
    "'", '"', "&amp;", "<", "T1", NOTE, "D1|D2", "|".join(f"D{at}" for at in range(40)),
)  # fmt: skip
NUMBERS, SIZES = st.integers(0, 12), st.integers(1, 5)
"""Few of them, so that mentions meet."""
SLOTS = "no|NULL|patient|NULL|no|NULL|unmarked|NULL|unmarked|NULL|false|NULL|false|NULL|NULL|NULL"
BRAT = (
    "T@u\t@l @a @b\t@w", "T@u\t@l @a @b\t@w", "T@u\t@l @a @b;@n @n\t@w",
    "R@u\t@r Arg1:T@i Arg2:T@i", "A@u\tNegation T@i @w", "*\tsame-as T@i T@i",
    "#@u\tNote T@i\t@w", "E@u\t@l:T@i",
)  # fmt: skip
TAG = '<@l id="P@u" start="@a" end="@b" text="@w" TYPE="@l" comment="" />'
XML = '<?xml version="1.0"?><deIdi2b2><TEXT><![CDATA[@TEXT]]></TEXT><TAGS>@LINES</TAGS></deIdi2b2>'
ANNOTATION = (
    '<annotation id="@u"><infon key="type">@l</infon><infon key="MESH">@c</infon>'
    '<location offset="@a" length="@n"/></annotation>'
)
RELATION = (
    '<relation id="@u"><infon key="relation">CID</infon><infon key="Chemical">@c</infon>'
    '<infon key="Disease">@c</infon></relation>'
)
BIOC = "<collection><document><id>1</id><passage>@LINES</passage></document></collection>"
LABEL = (
    '<Label><Text><Section id="S1" name="adverse reactions">@TEXT</Section></Text><Mentions>@LINES'
    "</Mentions><Relations></Relations><Reactions></Reactions></Label>"
)
ENTRY = 'm="@w" @k:@a @k:@b||do="@w" @k:@n @k:@n||mo="nm"||f="nm"||du="nm"||r="nm"||ln="@l"'
SECTION = '{"start_offset": @a, "end_offset": @b, "label": "@l"}'
CLINAIS = (
    '{"annotated_entries": {"n1": {"note_id": "n1", "note_text": "@TEXT", "section_annotation": '
    '{"gold": [@LINES], "prediction": [@LINES]}}}}'
)
MENTION = '{"spans": [[@a, @b]], "label": "@l"}'
MENTIONS = {
    **dict.fromkeys(
        ("bc5cdr", "ncbi_disease", "medmentions"),
        '{"spans": [[@a, @b]], "label": "@l", "concepts": ["@c"]}',
    ),
    **dict.fromkeys(
        (
            "n2c2_2018_track2",
            "clinical_tempeval",
            "i2b2_2012_temporal",
            "chemu20",
            "tac2017_adr",
            "drugprot21",
            "chemprot17",
            "ehealthkd20",
            "i2b2_2010",
            "clinical_relations",
            "clinical_events",
        ),
        '{"spans": [[@a, @b]], "label": "@l", "id": "T@u"}',
    ),
    "semeval15_task14": '{"spans": [[@a, @b]], "cui": "@c", "negation": "no"}',
    "clefehealth13_task1": '{"spans": [[@a, @b]], "cui": "@c"}',
}
LINES = '{"id": "d", "text": "@TEXT", "mentions": [@LINES]}'
TABLE = "filename\tlabel\tstart_span\tend_span\ttext\n@LINES\n"
TEXT = "ab cd ef gh ij kl mn op"
LABELS = {
    "multiclinai26": ("DISEASE", "x"),
    "toxhabits25": ("Tobacco", "x"),
    "cantemist20": ("MORFOLOGIA_NEOPLASIA", "x"),
    "multicardioner24": ("FARMACO", "x"),
    "symptemist23": ("SINTOMA", "x"),
    "distemist22": ("ENFERMEDAD", "x"),
    "livingner22": ("SPECIES", "HUMAN", "x"),
    "medprocner23": ("PROCEDIMIENTO", "x"),
    "pharmaconer19": ("PROTEINAS", "UNCLEAR"), "meddocan19": ("PAIS", "FECHAS"),
    "clinical_spans": ("Drug", "a b"), "clinical_relations": ("Drug", "a b"),
    "clinical_events": ("Drug", "Start"),
    "n2c2_2018_track2": ("Drug", "Form", "Dosage"), "chemu20": ("SOLVENT", "TIME"),
    "tac2017_adr": ("AdverseReaction", "Severity"), "clinical_tempeval": ("EVENT", "TIMEX3"),
    "i2b2_2012_temporal": ("EVENT", "TIMEX3"),
    "drugprot21": ("CHEMICAL", "GENE", "x"), "chemprot17": ("CHEMICAL", "GENE-Y"),
    "ehealthkd20": ("Concept", "Action"), "i2b2_2014_deid": ("DATE", "NAME", "DOCTOR"),
    "bc5cdr": ("Disease", "Chemical"), "ncbi_disease": ("Disease", "Modifier"),
    "medmentions": ("T047", "T116,T123"),
    "i2b2_2010": ("problem", "test", "present"),
    "n2c2_2022_cmed": ("Disposition", "Drug"), "n2c2_2022_sdoh": ("Drug", "Type"),
    "clinais23_b2": ("TREATMENT", "EVOLUTION"), "i2b2_2009_medication": ("list", "narrative"),
}  # fmt: skip
RELATIONS = (
    "Form-Drug",
    "Dosage-Drug",
    "target",
    "subject",
    "same-as",
    "PIP",
    "TeRP",
    "INHIBITOR",
    "CPR:4",
    "CONTAINS",
)
FORMATS = [
    *((name, "a.ann", BRAT, "\n", "@LINES\n") for name in (
        "pharmaconer19", "meddocan19", "clinical_spans", "n2c2_2018_track2", "ehealthkd20",
        "chemu20", "clinical_relations", "clinical_events",
        "n2c2_2022_cmed", "n2c2_2022_sdoh", "cantemist20")),
    *((name, "a.xml", (TAG,), "\n", XML) for name in ("i2b2_2014_deid", "meddocan19")),
    *((name, "a.jsonl", (MENTIONS.get(name, MENTION),), ", ", LINES) for name in (
        *MENTIONS, "multiclinai26", "toxhabits25", "multicardioner24", "symptemist23",
        "medprocner23", "distemist22", "livingner22", "cantemist20",
        "pharmaconer19", "meddocan19", "clinical_spans", "i2b2_2014_deid")),
    ("tac2017_adr", "a.xml", (
        '<Mention id="M@u" section="S1" type="@l" start="@a" len="@b"/>',
        '<Mention id="M@u" section="S1" type="@l" start="@a,@n" len="1,@b" str="@w"/>',
    ), "\n", LABEL),
    ("i2b2_2010", "a.con", ('c="@w" @k:@a @k:@b||t="@l"',), "\n", "@LINES\n"),
    ("i2b2_2010", "a.ast", ('c="@w" @k:@a @k:@b||t="problem"||a="@l"',), "\n", "@LINES\n"),
    ("i2b2_2010", "a.rel", (
        'c="@w" @k:@a @k:@b||r="@r"||c="@w" @k:@a @k:@b',), "\n", "@LINES\n"),
    ("bc5cdr", "a.PubTator", (
        "1|t|@w", "1\t@a\t@b\t@w\t@l\t@c", "1\tCID\t@c\t@c", "@i\t@a\t@b\t@w\t@l",
    ), "\n", "@LINES\n"),
    ("ncbi_disease", "a.txt", (
        "1|t|@w", "1\t@a\t@b\t@w\t@l\t@c", "1\t@a\t@b\t@w\t@l\t@c+@c", "@i\t@a\t@b\t@w\t@l",
    ), "\n", "@LINES\n"),
    ("bc5cdr", "a.xml", (
        ANNOTATION, RELATION), "\n", BIOC),
    ("semeval15_task14", "a.pipe", (
        f"a.txt|@a-@b|@c|{SLOTS}", f"a.txt|@a-@b|@c|{SLOTS}", f"a.txt|@a-@b,@n-@n|@c|{SLOTS}",
    ), "\n", "@LINES\n"),
    ("clefehealth13_task1", "a.pipe", (
        "a.txt||Disease_Disorder||@c||@a||@b", "a.txt||Disease_Disorder||@c||@a||@b||@n||@n",
    ), "\n", "@LINES\n"),
    ("clefehealth13_task2", "a.pipe", ("a.txt||Acronym_Abbrev||@c||@a||@b",), "\n", "@LINES\n"),
    ("clefehealth13_task3", "a.txt", ("@i Q0 d@i @n @n x", "@i 0 d@i @n"), "\n", "@LINES\n"),
    ("codiesp20", "a.tsv", (
        "a\t@a @b\t@l\t@c", "a\t@l\t@c\t@w\t@a @b", "a\t@c",
    ), "\n", "@LINES\n"),
    ("clinical_codes", "a.csv", ("a,@c,0.@a", "b,@c,1", "@i,@c,"), "\n", "id,code,score\n@LINES\n"),
    ("clinical_classes", "a.csv", (
        "a,@l,@w", "b,@c,", "@i,@l,@n",
    ), "\n", "id,status,pain\n@LINES\n"),
    ("clinical_classes", "a.jsonl", (
        '"@l": "@c"', '"@w": ["@l", @n]',
    ), ", ", '{"id": "d", @LINES}'),
    *((name, "a.tsv", (
        "@i\t@r\tArg1:T@i\tArg2:T@i", "1\t@r\tT@u\t@w:T@i",
    ), "\n", "@LINES\n") for name in ("drugprot21", "chemprot17")),
    ("archehr_qa26", "a.json", (
        '{"case_id": "@i", "prediction": ["@a", @b, {"answer_id": "@i", "evidence_id": ["@a"]}]}',
        '{"case_id": "@i", "answers": [{"sentence_id": "@a", "relevance": "essential"}]}',
    ), ", ", "[@LINES]"),
    ("icd_coding", "a.json", (
        '"@i": {"@c": 0.@a, "428.0": 0.5}', '"@l": {"@c": @n}',
    ), ",\n", "{@LINES}"),
    ("icd_coding", "a.psv", ("a|@c|428.0", "@i|@c"), "\n", "@LINES\n"),
    ("icd_coding", "a.csv", ('1,@i,"@w",@c;428.0', "2,b,x,@c"), "\n", "S,H,TEXT,LABELS\n@LINES\n"),
    ("medprocner23", "a.tsv", ("a\t@l\t@a\t@b\t@w", "b\t@l\t@a\t@b\tx"), "\n", TABLE),
    ("i2b2_2009_medication", "1.i2b2.entries", (ENTRY,), "\n", "@LINES\n"),
    ("mediqa_oe25", "a.json", (
        '{"order_type": "lab", "description": "@w x", "reason": "@w", "provenance": [@n, @a]}',
        '{"order_type": "@l", "description": "@n x", "provenance": "[@a, @b]"}',
    ), ", ", '{"d": [@LINES]}'),
    ("i2b2_2014_risk", "a.xml", (
        '<CAD id="@u" time="before DCT" indicator="@w"/>',
        '<MEDICATION id="@u" time="@w" type1="statin" type2="@w"><CAD start="@a"/></MEDICATION>',
        '<SMOKER status="past" start="@a" end="@b"/><!-- @w -->',
    ), "\n", XML),
    ("i2b2_2014_risk", "a.jsonl", (
        '{"tag": "CAD", "time": "after DCT", "indicator": "@w"}',
        '{"tag": "MEDICATION", "time": @n, "indicator": ["statin", "@w"]}',
    ), ", ", '{"id": "d", "tags": [@LINES]}'),
    ("mediqa_synur26", "a.jsonl", (
        '{"id": "@i", "value_type": "MULTI_SELECT", "value": ["@w", @n]}',
        '{"id": @i, "value_type": "@l", "name": "@w", "value": {"low": @a, "high": @b}}',
    ), ", ", '{"id": "d", "observations": [@LINES]}'),
    ("clinical_records", "a.jsonl", (
        '{"drug": "@w", "dose": @n, "times": [{"when": "@l", "n": @a}, {"n": [@b]}]}',
        '{"drug": "@l x", "dose": "@n", "times": [], "more": {"x": @i}}',
    ), ", ", '{"id": "d", "records": [@LINES]}'),
    ("clinais23_b2", "a.json", (SECTION,), ", ", CLINAIS),
]  # fmt: skip
_PLACE = re.compile("@([a-z])")
PARTS = {
    "n": NUMBERS, "k": st.integers(1, 2), "i": st.integers(1, 4), "w": st.just("x"),
    "c": st.sampled_from(["C1", "D1", "D2", "i10", "CUI-less", "D1|D2"]),
    "r": st.sampled_from(RELATIONS),
}  # fmt: skip


@st.composite
def lines_of(draw, name, templates):
    """Lines of a format, of which at most one has an odd part."""
    labels = st.sampled_from(LABELS.get(name, ("DIAGNOSTICO", "x")))
    count = draw(st.integers(0, 8))
    odd = draw(st.integers(0, 2 * count))
    return [
        _fill(draw, draw(st.sampled_from(templates)), labels, number, odd=number == odd)
        for number in range(1, count + 1)
    ]


def _fill(draw, template, labels, number, *, odd):
    """A template with something for every letter: ``b`` is an end to the start ``a``."""
    start = draw(NUMBERS)
    sound = {
        **PARTS, "u": st.just(number), "l": labels, "a": st.just(start),
        "b": SIZES.map(start.__add__),
    }  # fmt: skip
    chosen = draw(st.integers(0, template.count("@") - 1)) if odd else -1
    places = count_up()

    def part(found):
        if next(places) == chosen:
            return draw(st.sampled_from(ODD_NUMBERS if found[1] in "abnkiu" else ODD_WORDS))
        return str(draw(sound[found[1]]))

    return _PLACE.sub(part, template)


@st.composite
def files(draw, name, templates, separator, whole):
    """The bytes of a file of a format."""
    lines = separator.join(draw(lines_of(name, templates)))
    text = whole.replace("@LINES", lines).replace("@TEXT", TEXT)
    return text.encode("utf-8", "surrogatepass")


@st.composite
def columns(draw):
    """A column of one document's mentions, of types that Arrow has and nobody expects."""
    kind = draw(st.sampled_from([pa.int32()] * 3 + [pa.uint64(), pa.int8(), pa.float64()]))
    numbers = [1, draw(st.sampled_from([4, 100] if kind == pa.int8() else [4, 2**31 - 1]))]
    values = {
        "spans": pa.array([[numbers]], pa.list_(pa.list_(kind))),
        "cui": pa.array(["C1"]), "label": pa.array(["PAIS"]).dictionary_encode(),
        "id": pa.array([1]), "text": pa.array([b"x"]), "odd": pa.array([{"a": 1}]),
        "none": pa.nulls(1),
    }  # fmt: skip
    names = draw(st.lists(st.sampled_from(list(values)), min_size=1, max_size=4))
    column = pa.StructArray.from_arrays([values[name] for name in names], names=names)
    for large in draw(st.sampled_from([(), (False,), (False,), (True,), (False, False)])):
        made = pa.LargeListArray if large else pa.ListArray
        column = made.from_arrays([0, 1], column)
    return column


@st.composite
def settings_of_counts(draw, text):
    """Counts as JSON, of which settings are gone, others, or there beside the known ones."""
    stored = json.loads(text)
    settings = dict(stored["settings"])
    for name in draw(st.lists(st.sampled_from([*settings, "more"]), max_size=3)):
        value = draw(st.sampled_from([None, "", "spec", "official", "x", 3, NOTE]))
        settings = {**settings, name: value}
        if value is None:
            del settings[name]
    config = draw(st.sampled_from([stored["config"]] * 3 + ["default", "", "x"]))
    return json.dumps({**stored, "settings": settings, "config": config})
