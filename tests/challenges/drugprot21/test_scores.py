"""DrugProt: a plain scorer agrees, order does not matter, and every form has the same scores."""

import json
import random

import laws
import pytest
from commands import invoke
from demos import arguments_of
from hypothesis import given
from hypothesis import strategies as st
from plain import drugprot21_script as script

import clineval
from clineval import InputError
from clineval.answers import reward
from clineval.answers.scoring import evaluate as evaluate_answers
from clineval.challenges.drugprot21.spec import TYPES
from clineval.definitions import given_relations as plain
from clineval.training.bigbio import from_bigbio

NAME = "drugprot21"
USED = TYPES[3:6]
DOCUMENTS = ("11", "9", "101", "12")
pytestmark = pytest.mark.filterwarnings("ignore::clineval.InputWarning")


@st.composite
def corpora(draw, ids=4):
    """Entities of some documents, and gold and predicted lines between them."""
    entities, gold, found = {}, [], []
    for document in draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True)):
        labels = draw(st.lists(st.sampled_from(["CHEMICAL", "GENE"]), min_size=1, max_size=ids))
        known = [(f"T{at}", label) for at, label in enumerate(labels, 1)]
        entities[document] = known
        chemicals, genes = (
            [id_ for id_, label in known if label == wanted] for wanted in ("CHEMICAL", "GENE")
        )
        pairs = [(a, b) for a in chemicals for b in genes]
        for side in (gold, found) if pairs else ():
            one = st.tuples(st.sampled_from(USED), st.sampled_from(pairs))
            side += [(document, of, *pair) for of, pair in draw(st.lists(one, max_size=5))]
    return entities, gold, found


def write(folder, entities, gold, found, listed=None):
    """Write a corpus as tables; return predictions, references."""
    folder.mkdir(exist_ok=True)
    lines = [
        f"{document}\t{id_}\t{label}\t{5 * at}\t{5 * at + 4}\tword\n"
        for document, known in entities.items()
        for at, (id_, label) in enumerate(known)
    ]
    (folder / "entities.tsv").write_text("".join(lines))
    for name, rows in (("relations", gold), ("found", found)):
        text = "".join(f"{d}\t{of}\tArg1:{a}\tArg2:{b}\n" for d, of, a, b in rows)
        (folder / f"{name}.tsv").write_text(text)
    if listed is not None:
        (folder / "pmids.txt").write_text("\n".join(listed))
    return folder / "found.tsv", folder


def without(scores):
    return {k: v for k, v in scores.items() if k not in ("signature", "n_documents", "dataset")}


def score(*sides, **options):
    return without(clineval.score(NAME, *sides, **options).as_dict())


@given(corpora())
def test_a_plain_scorer_agrees(tmp_path_factory, corpus):
    entities, gold, found = corpus
    sides = write(tmp_path_factory.mktemp("c"), *corpus)
    assert score(*sides) == pytest.approx(plain.score(gold, found, TYPES, entities), abs=1e-15)


@given(corpora(), st.data())
def test_a_plain_scorer_agrees_on_odd_predictions(tmp_path_factory, corpus, data):
    entities, gold, found = corpus
    end, of = st.sampled_from(["T1", "T2", "T9"]), st.sampled_from([*USED, "agonist", "x"])
    document = st.sampled_from([*DOCUMENTS, "7"])
    odd = data.draw(st.lists(st.tuples(document, of, end, end), max_size=4))
    listed = data.draw(st.lists(st.sampled_from(DOCUMENTS), min_size=1, unique=True))
    sides = write(tmp_path_factory.mktemp("c"), entities, gold, [*found, *odd], listed)
    expected = plain.score(gold, [*found, *odd], TYPES, listed)
    assert score(*sides) == pytest.approx(expected, abs=1e-15)


@given(corpora())
def test_a_plain_count_of_slots_agrees_with_the_library(tmp_path_factory, corpus):
    entities, gold, found = corpus
    pairs = [(d, a, b) for d, known in entities.items() for a, one in known for b, other in known
             if (one, other) == ("CHEMICAL", "GENE")]  # fmt: skip
    sides = write(tmp_path_factory.mktemp("c"), *corpus)
    if not gold or not found or not pairs:
        with pytest.raises(InputError):
            score(*sides, protocol="official")
        return
    counts = score(*sides, protocol="official")
    expected = script.count_slots(gold, found, entities)
    assert tuple(counts[f"micro_{of}"] for of in ("tp", "fp", "fn")) == expected


@given(corpora(), st.integers(0, 99))
def test_neither_the_order_of_lines_nor_ids_change_a_score(tmp_path_factory, corpus, seed):
    entities, gold, found = corpus
    chance = random.Random(seed)
    first = write(tmp_path_factory.mktemp("c"), *corpus)
    names = {f"T{at}": f"X{(at * 7 + seed) % 11}" for at in range(1, 9)}

    def mix(lines):
        swapped = [(d, of, *chance.sample([a, b], 2)) for d, of, a, b in lines]
        return [(d, of, names[a], names[b]) for d, of, a, b in chance.sample(swapped, len(swapped))]

    renamed = {
        document: [(names[id_], label) for id_, label in entities[document]]
        for document in chance.sample([*entities], len(entities))
    }
    second = write(tmp_path_factory.mktemp("c"), renamed, mix(gold), mix(found))
    assert score(*first) == score(*second)


def as_documents(entities, lines, *, mentions=True):
    """The lines as dicts; predictions may leave out mentions."""
    return [
        {
            "id": document,
            **({"mentions": [
                {"id": id_, "label": label, "spans": [[5 * at, 5 * at + 4]]}
                for at, (id_, label) in enumerate(known)
            ]} if mentions else {}),
            "relations": [
                {"label": of, "from": a, "to": b} for d, of, a, b in lines if d == document
            ],
        }
        for document, known in entities.items()
    ]  # fmt: skip


@pytest.mark.parametrize("protocol", ["spec", "official"])
@given(corpora())
def test_dicts_and_jsonl_have_the_scores_of_tables(protocol, tmp_path_factory, corpus):
    entities, gold, found = corpus
    folder = tmp_path_factory.mktemp("c")
    sides = write(folder, *corpus)
    documents = as_documents(entities, gold)
    bare, whole = (as_documents(entities, found, mentions=of) for of in (False, True))
    scores = [score(of, documents, protocol=protocol) for of in (bare, whole)]
    paths = folder / "found.jsonl", folder / "gold.jsonl"
    for path, side in zip(paths, (whole, documents), strict=True):
        path.write_text("".join(json.dumps(each) + "\n" for each in side))
    scores.append(score(*paths, protocol=protocol))
    if protocol == "spec" or (gold and found):
        scores.append(score(*sides, protocol=protocol))
    assert all(each == scores[0] for each in scores)


@given(corpora())
def test_documents_without_names_are_paired_by_position(corpus):
    entities, gold, found = corpus
    named = [as_documents(entities, lines) for lines in (found, gold)]
    bare = [[{k: v for k, v in of.items() if k != "id"} for of in side] for side in named]
    assert score(*bare) == score(*named)


@given(corpora())
def test_laws(corpus):
    entities, gold, found = corpus
    sides = as_documents(entities, found), as_documents(entities, gold)
    measure = lambda p, r: clineval.score(NAME, p, r).as_dict()  # noqa: E731
    laws.swapping_sides_swaps_precision_and_recall(measure, *sides, ["micro", "agonist"])
    bare = [[{k: v for k, v in of.items() if k != "id"} for of in side] for side in sides]
    laws.order_of_documents_does_not_matter(measure, *bare, 5, near=1e-15)


TEXT = "Aspirin inhibits COX-2 and activates AMPK, says aspirin."
MENTIONS = [
    {"id": "T1", "spans": [[0, 7]], "label": "CHEMICAL"},
    {"id": "T2", "spans": [[17, 22]], "label": "GENE"},
    {"id": "T3", "spans": [[37, 41]], "label": "GENE"},
    {"id": "T4", "spans": [[48, 55]], "label": "CHEMICAL"},
]
LINKS = [
    {"label": "INHIBITOR", "from": "T1", "to": "T2"},
    {"label": "ACTIVATOR", "from": "T4", "to": "T3"},
]
GOLD = [{"id": "1", "text": TEXT, "mentions": MENTIONS, "relations": LINKS}]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        (LINKS, 1),
        ({"relations": LINKS[:1]}, 2 / 3),
        ([{"type": "INHIBITOR", "from": "COX-2", "to": "Aspirin"}, LINKS[1]], 1),
        ([LINKS[0], {"label": "ACTIVATOR", "from": "aspirin", "to": "AMPK"}], 1),
        ({"mentions": [{"id": "T9", "text": "Aspirin"}],
          "relations": [{"label": "INHIBITOR", "from": "T9", "to": "T2"}]}, 2 / 3),
        ([{"label": "INHIBITOR", "from": "T1", "to": "T7"}], 0),
        ([{"label": "BLOCKER", "from": "T1", "to": "T2"}], 0),
        ("no relation", 0),
        ([], 0),
    ],
)  # fmt: skip
def test_answers_name_ends_by_ids_or_quotes(answer, expected):
    written = answer if isinstance(answer, str) else json.dumps(answer)
    found = evaluate_answers(NAME, {"1": written}, GOLD).score()
    assert found["micro_f1"] == pytest.approx(expected)
    assert reward(NAME, [written], GOLD) == [pytest.approx(expected)]
    official = evaluate_answers(NAME, {"1": written}, GOLD, protocol="official").score()
    assert official["micro_tp"] == found["micro_tp"]


def test_answers_with_ids_need_no_text():
    bare = [{key: value for key, value in GOLD[0].items() if key != "text"}]
    found = evaluate_answers(NAME, {"1": json.dumps(LINKS)}, bare).score()
    assert (found["micro_f1"], found["n_unaligned"]) == (1, 0)


def test_a_mention_elsewhere_is_not_given():
    moved = [{**mention, "spans": [[1, 3]]} for mention in MENTIONS[:1]] + MENTIONS[1:]
    found = clineval.score(NAME, [{**GOLD[0], "mentions": moved}], GOLD)
    assert (found["micro_tp"], found["micro_fp"], found["micro_fn"]) == (1, 1, 1)


def test_ids_of_placed_mentions_do_not_matter():
    renamed = [{**mention, "id": f"a{at}"} for at, mention in enumerate(MENTIONS)]
    links = [{**LINKS[0], "from": "a0", "to": "a1"}]
    found = clineval.score(NAME, [{"id": "1", "mentions": renamed, "relations": links}], GOLD)
    assert (found["micro_tp"], found["micro_fp"], found["micro_fn"]) == (1, 0, 1)


def test_items_of_bigbio():
    entities = [
        {"id": m["id"], "type": m["label"], "text": ["x"], "offsets": m["spans"], "normalized": []}
        for m in MENTIONS
    ]
    links = [
        {"id": str(at), "type": of["label"], "arg1_id": of["from"], "arg2_id": of["to"]}
        for at, of in enumerate(LINKS)
    ]
    row = {"passages": [], "entities": entities, "relations": links}
    fewer = {**row, "relations": links[:1]}
    sides = [from_bigbio([each], NAME) for each in (fewer, row)]
    assert clineval.score(NAME, *sides)["micro_recall"] == 0.5


def test_docs_with_relations():
    spacy = pytest.importorskip("spacy")
    from clineval import Document, Mention
    from clineval.kinds.mentions.mention import Relation
    from spacy_clin import score_docs, set_mentions

    docs = []
    for links in (LINKS, LINKS[:1]):
        doc = spacy.blank("en")(TEXT)
        document = Document(
            "1",
            [Mention(m["spans"], slots={"label": m["label"]}, id=m["id"], coded=False)
             for m in MENTIONS],
            TEXT,
            [Relation(of["label"], of["from"], of["to"]) for of in links],
        )  # fmt: skip
        set_mentions(doc, document.mentions, relations=document.relations)
        docs.append(doc)
    assert score_docs(docs[:1], docs[1:], NAME)["micro_recall"] == 0.5


def test_texts_of_a_folder_are_title_and_abstract(tmp_path):
    (system, gold), _ = arguments_of(NAME)
    page = tmp_path / "page.html"
    done = invoke(["report", NAME, gold, system, "-o", page])
    assert done.exit_code == 0, done.output
    assert page.exists()
    [first, *_] = clineval.read(gold, NAME)
    start, end = first.mentions[0].spans[0]
    assert first.text[start:end] == "Zolvamine"


def test_every_command():
    (system, gold), _ = arguments_of(NAME)
    other = system.with_name("model")
    for words in (
        ["score", NAME, gold, system, "--confidence", "0.9"],
        ["score", NAME, gold, system, "--by", "length"],
        ["compare", NAME, gold, system, other],
        ["errors", NAME, gold, system],
        ["agreement", NAME, system, other, "--entities", gold / "entities.tsv"],
        ["validate", NAME, gold],
        ["validate", NAME, system],
    ):
        done = invoke(words)
        assert done.exit_code == 0, done.output


@pytest.mark.parametrize("form", ["relations", "jsonl", "brat"])
def test_a_converted_corpus_has_the_same_scores(form, tmp_path):
    (system, gold), _ = arguments_of(NAME)
    target = tmp_path / ("gold.jsonl" if form == "jsonl" else "gold")
    done = invoke(["convert", gold, target, "--module", NAME, "--to", form])
    assert done.exit_code == 0, done.output
    assert score(system, target) == score(system, gold)


def test_a_folder_needs_entities_and_one_file_of_relations(tmp_path):
    system, folder = write(tmp_path / "c", {"1": [("T1", "CHEMICAL")]}, [], [])
    (folder / "entities.tsv").rename(tmp_path / "e.tsv")
    with pytest.raises(InputError, match="expected the given entities beside the relations"):
        score(system, folder)
    assert score(system, folder, entities=tmp_path / "e.tsv")["micro_tp"] == 0
    (folder / "relations2.tsv").write_text("")
    with pytest.raises(InputError, match=r"expected one file, got relations.tsv, relations2.tsv"):
        score(system, folder, entities=tmp_path / "e.tsv")
