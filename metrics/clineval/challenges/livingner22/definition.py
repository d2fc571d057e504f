"""LivingNER 2022: mentions of species, their NCBI codes, and four questions about each case.

The rules are those of Miranda-Escalada et al. (2022) and of the sections Evaluation and FAQ of
https://temu.bsc.es/livingner/: mentions (``ner``), mentions with their codes (``norm``), and the
clinical impact (``app``): whether a case is about pets, injuries by animals, food or nosocomial
infections, and which species. Only the answer yes is scored. The sums over the questions,
``yes_`` (answers) and ``micro_`` (answers with the right species), are our addition.
"""

from clineval.definitions.documents import pair_lists
from clineval.definitions.linked_spans import score_spans
from clineval.definitions.rates import add_rows, compare_sets, name_scores

QUESTIONS = {
    "Pet": "pet",
    "AnimalInjury": "injury",
    "Food": "food",
    "Nosocomial": "nosocomial",
}


def protect(codes):
    """Return codes in which H, for a higher rank, is a part of its code: 9615|H."""
    return (codes or "").replace("|H", "-H")


def read_answer(answer):
    """Return the question of an answer such as Pet:9615+9685, and its set of species."""
    question, _, species = answer.partition(":")
    return question, frozenset(filter(None, protect(species).replace("|", "+").split("+")))


def score_answers(gold, predicted):
    """Return the scores of each question and their sums, without and with species."""
    pairs = [
        [set(map(read_answer, side)) for side in pair]
        for pair in pair_lists(gold, predicted, "codes")
    ]
    scores, answers, species = {}, [], []
    for question, name in QUESTIONS.items():
        own = [[{a for a in side if a[0] == question} for side in pair] for pair in pairs]
        asked = [[{question for question, _ in side} for side in pair] for pair in own]
        answers.append(add_rows([compare_sets(*pair) for pair in asked]))
        species.append(add_rows([compare_sets(*pair) for pair in own]))
        scores |= name_scores(name, *answers[-1])
        scores |= name_scores(f"{name}_species", *species[-1])
    sums = {"yes": add_rows(answers), "micro": add_rows(species)}
    return scores | {k: v for name, row in sums.items() for k, v in name_scores(name, *row).items()}


def score_documents(gold, predicted, config="default"):
    """Return the scores of documents as JSON Lines contain them."""
    if config == "app":
        return score_answers(gold, predicted)
    sides = [
        [
            {
                **document,
                "mentions": [{**m, "code": protect(m.get("code"))} for m in document["mentions"]],
            }
            for document in side
        ]
        for side in (gold, predicted)
    ]
    return score_spans(*sides, coded=config == "norm", separators="+|")
