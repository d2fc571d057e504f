"""eHealth-KD 2020: key phrases of Spanish health texts and relations between them.

Key phrases have the label Concept, Action, Predicate or Reference and may be discontiguous. Phrases
and relations lie within one sentence. There are thirteen relations, all directed except
``same-as``. The main scenario and the transfer scenario score both (configurations ``default``,
``main``, ``transfer``); ``taskA`` scores only key phrases, ``taskB`` only relations.

The scores are computed over the key phrases and relations of all sentences together, with C
correct, I incorrect, P partial, S spurious and M missing:

    recall = (C + P / 2) / (C + P + I + M)        precision = (C + P / 2) / (C + P + I + S)
    F1 = 2 precision recall / (precision + recall)

    correct     phrases: same fragments, same label; relations: same label, between phrases that
                are paired correct or partial; ``same-as`` in either direction
    incorrect   phrases: same fragments, another label
    partial     phrases: same label, a character in common
    spurious    all other predictions
    missing     all other gold annotations

The fragments of a phrase are its words, so blanks do not matter. Phrases are paired one to one
within each sentence: first correct ones, then incorrect ones, then partial ones. In each step, each
predicted phrase, in the order of starts, ends and labels, gets the first free gold phrase in the
same order. If a phrase is repeated in a sentence (same fragments, same label), each correct pair
uses one copy from either side, and the remaining copies are spurious or missing. Relations with the
same label between the same phrases count once. A relation of a phrase with itself counts like any
other. ``has-part``, the label of 21 relations in the gold standard of 2021, counts in the scores of
all relations but has no row of its own.

With ``same_as="closure"``, phrases that gold ``same-as`` relations connect, directly or not, form a
class and are interchangeable. Relations with the same label between the same two classes are
interchangeable too. The program works this way.

Resampling uses sentences. The sentences of a text are paired by position if all have the same
letters and digits, and otherwise by the longest common sequence of sentences. In a gold sentence
without a partner everything is missing, in a predicted one everything is spurious. Sentences
without gold phrases and relations are left out, together with the predictions in them, because most
sentences in the challenge's test sets were not annotated. ``evaluated="all"`` counts them.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. In the scores of single labels,
a pair counts for its gold label, and a spurious item for its predicted label.

``protocol="official"`` gives the numbers of the released program and follows all its rules.
``edition`` selects the program: ``"2020"`` and ``"2021"`` agree, ``"2019"`` differs.

Sources: eHealth-KD 2020, tasks, https://ehealthkd.github.io/2020/tasks; for the differences, the
behaviour of the released programs.
"""

from __future__ import annotations

from clineval.challenges.ehealthkd20.measures import MEASURES
from clineval.challenges.ehealthkd20.official import Official
from clineval.challenges.ehealthkd20.sentences import LABEL
from clineval.challenges.ehealthkd20.spec import Spec
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
            "main": "the main scenario",
            "taskA": "key phrases",
            "taskB": "relations",
            "transfer": "key phrases and relations in another domain",
        },
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": Spec(), "official": Official()},
    measures=MEASURES,
    options=(
        Option(
            "edition",
            "Year of the program that protocol='official' follows: 2019, 2020 or 2021.",
            "2020",
            "choice",
            ("2019", "2020", "2021"),
        ),
        Option(
            "same_as",
            "exact: match relations by their own phrases; closure: also by phrases that gold "
            "same-as relations connect to them.",
            "exact",
            "choice",
            ("exact", "closure"),
        ),
        Option(
            "evaluated",
            "gold: score only sentences with gold annotations; all: score all sentences.",
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
            spec: are separate fragments
            official: are separate fragments only if the phrase has one fragment, split at single
                blanks
        a span with two labels in the gold standard (a14_same_span_two_gold_labels)
            spec: is two phrases, each of which can be correct
            official: counts only with its first label, or stops the program
        phrases that gold same-as relations connect (b08_same_as_class)
            spec: are different phrases, unless same_as='closure'
            official: are interchangeable in all relations
        same-as of a phrase with itself (b11_self_loop)
            spec: is correct only if the gold standard has it, or with same_as='closure'
            official: may be correct
        empty lines and blanks around a sentence (s06_empty_line)
            spec: count in offsets, as in the file
            official: do not count in offsets, so the following text is shifted
        an inserted or moved sentence (s02_extra_sentence)
            spec: has no partner
            official: leaves all following sentences without partners (2020, 2021); unequal
                sentences are left out (2019)
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
