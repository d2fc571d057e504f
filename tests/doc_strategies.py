"""Random Docs of every challenge: gold and predicted ones, in lists of the same length."""

from itertools import chain, permutations

from docs import blank_doc
from entry_strategies import TEXT as RECORD
from entry_strategies import corpora as entry_corpora
from hypothesis import strategies as st
from strategies import corpora as mention_corpora
from strategies import spans

from clineval.challenges.clefehealth13_task1.spec import SLOTS as LAB_SLOTS
from clineval.challenges.clinais23_b2.spec import LABELS
from clineval.challenges.n2c2_2018_track2 import spec as n2c2_2018_track2_rules
from clineval.challenges.semeval15_task14.spec import SLOTS
from spacy_clin import set_mentions
from spacy_clin.medications import set_entries
from spacy_clin.sections import set_sections

ROOM = 24
note_texts = st.text("ab .,-\né😀", min_size=ROOM, max_size=ROOM + 8)
CODES = ["C1", "C2", "C3", None]


def pair_docs(golds, preds, texts, write):
    """Docs of both sides, annotated, with names that the i2b2 script reads: numbers."""
    sides = []
    for side in (golds, preds):
        docs = [blank_doc(text) for text in texts]
        for number, (doc, annotation) in enumerate(zip(docs, side, strict=True)):
            write(doc, annotation, document=str(number))
        sides.append(docs)
    return sides


@st.composite
def mentions(draw, slots=SLOTS):
    golds, preds = draw(mention_corpora(slots=slots, room=ROOM))
    for mention in chain(*golds, *preds):
        # the official protocol compares lists as they are written, and files have no blanks
        if mention.get("body_location") == "C0000008, NULL":
            mention["body_location"] = "C0000008,NULL"
    texts = [draw(note_texts) for _ in golds]
    return pair_docs(golds, preds, texts, set_mentions)


@st.composite
def acronyms(draw):
    """Each acronym once, gold ones with several codes."""
    golds, preds, texts = [], [], []
    for _ in range(draw(st.integers(1, 3))):
        starts = sorted(draw(st.sets(st.integers(0, ROOM - 3), max_size=5)))
        lists = st.lists(st.sampled_from(CODES[:3]), min_size=1, max_size=3, unique=True)
        codes = lists.map(",".join)
        gold = [{"spans": [[s, s + 2]], "cui": draw(codes | st.none())} for s in starts]
        golds.append(gold)
        kept = [m for m in gold if draw(st.integers(0, 3))]
        preds.append([{**m, "cui": draw(st.sampled_from(CODES))} for m in kept])
        texts.append(draw(note_texts))

    def write(doc, found, document):
        set_mentions(doc, found, key="clin_acronyms", document=document)

    return pair_docs(golds, preds, texts, write)


@st.composite
def entries(draw):
    preds, golds = draw(entry_corpora())
    return pair_docs(golds, preds, [RECORD] * len(golds), set_entries)


@st.composite
def sections(draw):
    """Sections begin anywhere, not only where words do, and end where the next one begins."""
    texts = draw(st.lists(note_texts.filter(str.strip), min_size=1, max_size=3))
    sides = [[draw(_sections_of(text)) for text in texts] for _ in range(2)]
    return pair_docs(*sides, texts, set_sections)


@st.composite
def _sections_of(draw, text):
    words = [at for at, c in enumerate(text) if c.strip() and not text[at - 1 : at].strip()]
    begins = sorted(draw(st.sets(st.sampled_from(words), max_size=5)))
    ends = [*begins[1:], len(text)]
    label = st.sampled_from(LABELS[:4])
    return [
        {"start": start, "end": end, "label": draw(label)}
        for start, end in zip(begins, ends, strict=False)
    ]


LABELLED = {
    "n2c2_2018_track2": (n2c2_2018_track2_rules.CONCEPTS[:3], n2c2_2018_track2_rules.RELATIONS[:2]),
    "clinical_tempeval": (("EVENT", "TIMEX3"), ("CONTAINS", "BEFORE")),
    "i2b2_2012_temporal": (("EVENT", "TIMEX3"), ("BEFORE", "AFTER", "OVERLAP")),
    "tac2017_adr": (("AdverseReaction", "Severity", "Factor"), ("Effect", "Negated")),
    "i2b2_2010": (("problem", "treatment", "present"), ("TrIP", "TrAP")),
    "drugprot21": (("CHEMICAL", "GENE"), ("INHIBITOR", "PART-OF")),
    "chemprot17": (("CHEMICAL", "GENE-Y"), ("CPR:3", "CPR:9")),
    "ehealthkd20": (("Concept", "Action"), ("is-a", "same-as")),
    "bc5cdr": (("Disease", "Chemical"), ("CID",)),
    "medmentions": (("T047", "T033", "T007,T005"), ()),
    "ncbi_disease": (("SpecificDisease", "Modifier", "Disease"), ()),
    "i2b2_2014_deid": (("DATE", "CITY", "DOCTOR"), ()),
    "meddocan19": (("FECHAS", "CALLE", "HOSPITAL"), ()),
    "multiclinai26": (("DISEASE", "SYMPTOM", "PROCEDURE"), ()),
    "cantemist20": (("MORFOLOGIA_NEOPLASIA",), ()),
    "toxhabits25": (("Tobacco", "Drug", "Type"), ()),
    "multicardioner24": (("ENFERMEDAD", "FARMACO", "b"), ()),
    "symptemist23": (("SINTOMA", "a", "b"), ()),
    "distemist22": (("ENFERMEDAD",), ()),
    "livingner22": (("SPECIES", "HUMAN"), ()),
    "medprocner23": (("PROCEDIMIENTO", "OTRO"), ()),
    "n2c2_2022_sdoh": (("Alcohol", "Amount", "StatusTime"), ("Status", "Amount")),
    "n2c2_2022_cmed": (("Disposition", "Undetermined", "Drug"), ()),
    "pharmaconer19": (("NORMALIZABLES", "PROTEINAS", "UNCLEAR"), ()),
    "clinical_relations": (("Drug", "Dose"), ("DOSE_OF", "SAME_AS")),
    "clinical_events": (("Start", "Drug", "Dose"), ("Drug", "Dose")),
}
MORE = {
    "bc5cdr": {"concept": ["D1", "D2", "D1|D3"]},
    "medmentions": {"concept": ["C0000001", "C0000002|C0000001"]},
    "ncbi_disease": {"concept": ["D1", "D1+D2", "D3|D1"]},
    "cantemist20": {"code": ["8000/6", "8140/3"]},
    "distemist22": {"code": ["1", "1+2", "2+1"]},
    "livingner22": {"code": ["1", "1+2", "2+1"]},
    "symptemist23": {"code": ["1", "1+2", "2+1"]},
    "medprocner23": {"code": ["1", "1+2", "2+1"]},
}
"""What else mentions have."""
INTERACTING = ("CHEMICAL", "GENE", "GENE-Y")
"""Labels of mentions, no two of which with the same label are related."""
TRIGGERS = ("Alcohol",)
"""Labels of mentions that are no other's argument."""
WHOLE = (
    "i2b2_2010",
    "i2b2_2014_deid",
    "bc5cdr",
    "ncbi_disease",
    "medmentions",
    "symptemist23",
    "multicardioner24",
    "toxhabits25",
    "multiclinai26",
    "cantemist20",
    "distemist22",
    "livingner22",
    "medprocner23",
)
"""Challenges without discontiguous mentions."""


@st.composite
def labelled(draw, challenge):
    """Mentions with labels, which overlap and repeat, and relations between them."""
    labels, relations = LABELLED[challenge]
    one_line = challenge == "ehealthkd20"  # whose phrases end where lines do
    texts = draw(st.lists(note_texts, min_size=1, max_size=3))
    texts = [text.replace("\n", " ") if one_line else text for text in texts]
    most = 1 if challenge in WHOLE else 2
    more = MORE.get(challenge, {})
    sides = [[draw(_related(labels, relations, more, most)) for _ in texts] for _ in range(2)]
    if one_line:
        for side in sides:
            for found, text in zip(side, texts, strict=True):
                _drop_blank(found, text)
    for prediction, gold in zip(*sides, strict=True):
        if draw(st.booleans()):
            prediction["mentions"] = {**prediction["mentions"], **gold["mentions"]}

    def write(doc, found, document):
        set_mentions(doc, found["mentions"], relations=found["relations"], document=document)

    return pair_docs(sides[1], sides[0], texts, write)


def _drop_blank(found, text):
    """Drop mentions without a word, and the relations of them."""
    found["mentions"] = {
        name: mention
        for name, mention in found["mentions"].items()
        if any(text[start:end].strip() for start, end in mention["spans"])
    }
    found["relations"] = [
        relation for relation in found["relations"] if set(relation[1:]) <= set(found["mentions"])
    ]


@st.composite
def _related(draw, labels, relations, more, most):
    mentions = {}
    for number in range(draw(st.integers(0, 5))):
        label = draw(st.sampled_from(labels))
        mentions[f"T{number}"] = {"spans": draw(spans(ROOM, most)), "label": label}
        mentions[f"T{number}"] |= {slot: draw(st.sampled_from(of)) for slot, of in more.items()}
    arcs = list(permutations(mentions, 2)) if relations else []
    arcs = [(head, end) for head, end in arcs if mentions[end]["label"] not in TRIGGERS]
    if set(labels) <= {*INTERACTING}:
        arcs = [of for of in arcs if len({mentions[end]["label"] for end in of}) > 1]
    chosen = draw(st.lists(st.sampled_from(arcs), max_size=4, unique=True)) if arcs else []
    related = [(draw(st.sampled_from(relations)), *ends) for ends in chosen]
    return {"mentions": mentions, "relations": related}


CORPORA = {
    "semeval15_task14": mentions(),
    "clefehealth13_task1": mentions(LAB_SLOTS),
    "clefehealth13_task2": acronyms(),
    "i2b2_2009_medication": entries(),
    "clinais23_b2": sections(),
    **{name: labelled(name) for name in LABELLED},
}
