"""Open clinical benchmarks as tasks of Inspect, each with the score of its challenge.

    pip install 'clineval[answers,inspect]'
    inspect eval hub_cards/inspect/tasks.py@meddocan --model MODEL

The notes and the gold standard come from a corpus that clineval knows by name. An open corpus is
downloaded from its home once and checked; it then stays in the cache folder. The bundled corpus
``demo`` needs no network. A model answers with quotes of the note, which are placed in the note.
"""

from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.solver import generate, system_message

import clineval
from clineval.base.errors import InputError
from clineval.evaluation.corpora import get_dataset
from clineval.harness.inspect import quoted_mentions
from clineval.harness.samples import SampleScoring
from clineval.results.registry import find_challenge


@task
def meddocan(part: str = "test", gold: str = "", texts: str = "", protocol: str = "spec") -> Task:
    """MEDDOCAN 2019: private details in Spanish clinical cases, 29 labels.

    Args:
        part: the part of the corpus: test, dev, train or demo.
        gold: files of your own, instead of a part.
        texts: the notes, if the files do not contain them.
        protocol: spec, the challenge's definition; or official, the released program.
    """
    return _make_task("meddocan19", part, gold, texts, protocol)


@task
def pharmaconer(
    part: str = "test", gold: str = "", texts: str = "", protocol: str = "spec"
) -> Task:
    """PharmaCoNER 2019: substances, compounds and proteins in Spanish clinical cases.

    Args:
        part: the part of the corpus: test, dev, train or demo.
        gold: files of your own, instead of a part.
        texts: the notes, if the files do not contain them.
        protocol: spec, the challenge's definition; or official, the released program.
    """
    return _make_task("pharmaconer19", part, gold, texts, protocol)


@task
def multiclinai(
    part: str = "test", gold: str = "", texts: str = "", protocol: str = "spec"
) -> Task:  # fmt: skip
    """MultiClinAI 2026: diseases, symptoms and procedures in seven languages.

    Its test set cannot be downloaded by name yet: pass a table and the notes of one language.

    Args:
        part: the part of the corpus: demo.
        gold: a table of the challenge, instead of a part.
        texts: the folder of the notes; by default the folder ``text`` beside the table.
        protocol: spec, the challenge's definition; or official, the released program.
    """
    return _make_task("multiclinai26", part, gold, texts, protocol)


def _make_task(module: str, part: str, gold: str, texts: str, protocol: str) -> Task:
    """Make the task of a challenge, with all notes of a corpus."""
    labels = find_challenge(module).setup("default", protocol, {}).steps.labels
    prompt = SampleScoring(module, protocol=protocol).prompt
    name = f"{module}/{part}"
    path = Path(gold) if gold else get_dataset(name)
    return Task(
        dataset=MemoryDataset(_read_samples(module, path, texts), name=gold or name),
        solver=[system_message(f"{prompt}\nThe labels: {', '.join(labels)}"), generate()],
        scorer=quoted_mentions(module, protocol=protocol),
        score_on_error=True,  # all gold annotations of a note without an answer are missed
        version=clineval.__version__,
    )


def _read_samples(module: str, gold: Path, texts: str) -> list[Sample]:
    """Read the notes and their gold mentions."""
    beside = gold.parent / "text"
    notes = texts or (beside if beside.is_dir() else None)
    documents = clineval.read(gold, module, texts=notes)
    if any(document.text is None for document in documents):
        raise InputError("a document has no note", where="gold", remedy="Pass -T texts=FOLDER")
    return [
        Sample(
            id=document.id,
            input=document.text,
            metadata={
                "note": document.text,
                "gold": [mention.as_dict() for mention in document.mentions],
            },
        )
        for document in documents
    ]
