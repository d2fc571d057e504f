"""eHealth-KD 2020: key phrases of Spanish health texts, and the relations between them.

Key phrases are labelled Concept, Action, Predicate or Reference, may be discontiguous, and lie in
one sentence, as relations do. There are thirteen relations, all directed but ``same-as``. The main
scenario and the transfer scenario score both (configurations ``default``, ``main``, ``transfer``),
``taskA`` key phrases alone, ``taskB`` relations alone.

Of the key phrases and relations of all sentences together, with C correct, I incorrect, P partial,
S spurious, M missing:

    recall = (C + P / 2) / (C + P + I + M)        precision = (C + P / 2) / (C + P + I + S)
    F1 = 2 precision recall / (precision + recall)

    correct     phrases: same fragments, same label; relations: same label, between phrases that
                are paired correct or partial; ``same-as`` in either direction
    incorrect   phrases: same fragments, another label
    partial     phrases: same label, a character in common
    spurious    predicted, and none of these
    missing     in the gold standard, and none of these

The fragments of a phrase are its words, so that it does not matter how blanks are treated. Phrases
are paired one to one, sentence by sentence: first correct ones, then incorrect ones, then partial
ones, where each predicted phrase, in the order of starts, ends and label, gets the first free gold
phrase in the same order. Of repeated phrases of one sentence (same fragments, same label) each
correct pair uses one of either side, and what is left of them is spurious or missing. Relations of
a label between the same phrases are one relation. A relation of a phrase with itself counts like
any other. ``has-part``, the label of 21 relations in the gold standard of 2021, counts with all
relations and has no row.

``same_as="closure"`` takes phrases that gold ``same-as`` relations connect, directly or not, for
one another, and the relations of a label between two such classes as interchangeable, as the
program does.

Sentences are the units that are resampled. Those of a text are paired by position if all have the
same letters and digits, and otherwise by the longest common sequence of sentences. A gold sentence
without partner is all missing, a predicted one all spurious. Sentences of which the gold standard
has neither phrase nor relation are left out, with what was predicted in them: in the test sets of
the challenge most sentences were not annotated. ``evaluated="all"`` counts them.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. The scores of a label count a
pair for its gold label, and what is spurious for the predicted one.

``protocol="official"`` gives the numbers of the released program with its own rules throughout:
that of ``edition="2020"`` or ``"2021"``, which agree, or of ``"2019"``.

Sources: eHealth-KD 2020, tasks, https://ehealthkd.github.io/2020/tasks; for the differences, what
the released programs do.
"""

from __future__ import annotations

from clineval.challenges.ehealthkd20.measures import MEASURES
from clineval.challenges.ehealthkd20.official import Official
from clineval.challenges.ehealthkd20.sentences import LABEL
from clineval.challenges.ehealthkd20.spec import Spec, units_of
from clineval.kinds.relations.outcomes import MATCHES
from clineval.results.challenge import Challenge
from clineval.results.differences import list_differences
from clineval.results.faces import Faces
from clineval.results.options import Option
from clineval.results.task import Demo, Task
from clineval.results.views import DocView, MentionView

CHALLENGE = Challenge(
    Task(
        name="ehealthkd20",
        title="eHealth-KD 2020: Knowledge discovery in Spanish health texts",
        homepage="https://ehealthkd.github.io/2020",
        citation="""\
@inproceedings{piad-morffis-etal-2020-ehealthkd,
    title = "Overview of the {eHealth} Knowledge Discovery Challenge at {IberLEF} 2020",
    author = {Piad-Morffis, Alejandro and Guti{\\'e}rrez, Yoan and Ca{\\~n}izares-Diaz, Hian and
        Estevez-Velarde, Suilan and Mu{\\~n}oz, Rafael and Montoyo, Andr{\\'e}s and
        Almeida-Cruz, Yudivian},
    booktitle = "Proceedings of the Iberian Languages Evaluation Forum ({IberLEF} 2020)",
    year = "2020",
}""",
        configs={
            "default": "the main scenario: key phrases and relations",
            "main": "the same",
            "taskA": "key phrases",
            "taskB": "relations",
            "transfer": "key phrases and relations, of another domain",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    options=(
        Option(
            "edition",
            "Whose program protocol='official' stands for.",
            "2020",
            "choice",
            ("2019", "2020", "2021"),
        ),
        Option(
            "same_as",
            "Relations between phrases that gold same-as relations connect: exact ends only, or "
            "closure, by classes.",
            "exact",
            "choice",
            ("exact", "closure"),
        ),
        Option(
            "evaluated",
            "Sentences with gold annotations only, or all.",
            "gold",
            "choice",
            ("gold", "all"),
        ),
    ),
    differences=list_differences("""
        order of the fragments of a phrase (a10_fragment_order_first_sentence)
            spec: does not matter
            official: matters in the first sentence
        words in a fragment (a09_fragment_with_blank)
            spec: are fragments of their own
            official: are so only where the phrase has one fragment, and at single blanks
        a span with two labels in the gold standard (a14_same_span_two_gold_labels)
            spec: has two phrases, each of which can be correct
            official: has the first one looked at alone, or stops the program
        phrases that gold same-as relations connect (b08_same_as_class)
            spec: are different phrases, unless same_as='closure'
            official: stand for one another in all relations
        same-as of a phrase with itself (b11_self_loop)
            spec: is correct only if the gold standard has it, or by same_as='closure'
            official: may be correct
        empty lines and blanks around a sentence (s06_empty_line)
            spec: count in offsets, as in the file
            official: do not count in offsets, so that what follows is shifted
        an inserted or moved sentence (s02_extra_sentence)
            spec: has no partner
            official: leaves all that follow without partners (2020, 2021), or unequal ones out
                (2019)
        predicted relations between sentences (b18_cross_sentence_crash)
            spec: are spurious
            official: stop the program (2020, 2021), or are left out (2019)
        partial matches of 2019 (a34_partial_label_2019_only)
            spec: need equal labels
            official: do not
        empty fragments (a26_zero_length)
            spec: are an error
            official: may match partially
    """),
    demo=Demo(
        "eHealth-KD 2020: key phrases and relations in Spanish sentences",
        "gold",
        {"rules": "rules", "tagger": "tagger"},
    ),
    faces=Faces(
        page=MentionView(
            matches=MATCHES,
            units=lambda corpus, setup: units_of(corpus, setup).corpus,
            sources=lambda corpus, setup: units_of(corpus, setup).sources,
            arguments=lambda corpus, setup: units_of(corpus, setup).arguments,
        ),
        docs=DocView(
            prefix="ekd",
            columns={
                "default": ("f1", "phrases_f1", "relations_f1"),
                "taskA": ("f1", "phrases_f1"),
                "taskB": ("f1", "relations_f1"),
            },
            slots=lambda _: (LABEL,),
            format="jsonl",
            take=list,
            relations="id",
        ),
        scripts=("ehealthkd-2019", "ehealthkd-2020", "ehealthkd-2021"),
        printed="clineval.challenges.ehealthkd20.printed",
    ),
)
