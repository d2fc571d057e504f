"""Write the evaluate module and the card of another package's challenge from its declaration."""

from __future__ import annotations

import json
from keyword import iskeyword

from clineval.base.errors import InputError, shown
from clineval.results.challenge import Challenge

_MODULE = '''\
"""The metric of another package as an evaluate module; it needs that package and clineval."""

import evaluate

from clineval.hf.metric import ChallengeMetric
from clineval.results.registry import find_challenge


class {name}(ChallengeMetric, evaluate.Metric):
    """The metric as an evaluate module; its scores are those of `clineval.score`."""

    challenge = find_challenge("{name}")
'''
_CARD = """\
---
title: {quoted}
tags:
- evaluate
- metric
- clinical-nlp
description: >-
  {about}
---

# Metric Card for {title}

## Metric Description

{definition}

## How to Use

If clineval and the package of the challenge are installed, `clineval.hf.load("{name}")` returns the
metric. You can also run `clineval space build {name} FOLDER` and pass the folder to
`evaluate.load`.

### Inputs

- **predictions**, **references**: the same input as for `clineval.score`, such as a list with one
  item for each document, or the path of a file.

### Output Values

Main scores: {scores}. The `signature` records how the scores were computed; report it with them.

### Values from Popular Papers

See the home page of the challenge.

## Examples

```sh
clineval describe {name} --full
clineval score {name} gold.jsonl predicted.jsonl
```

## Citation

```bibtex
{citation}
```

## Further References

{references}
"""


def write_module(challenge: Challenge) -> str:
    """Write the source of the evaluate module.

    Raises:
        InputError: evaluate cannot import the name.
    """
    name = challenge.name
    if not name.isidentifier() or iskeyword(name):
        raise InputError(f"evaluate cannot load a metric of this name: {shown(name)}")
    return _MODULE.format(name=name)


def write_card(challenge: Challenge) -> str:
    """Write the card."""
    task = challenge.task
    summary = " ".join(task.specification.partition("\n\n")[0].split())
    return _CARD.format(
        name=challenge.name,
        title=task.title,
        quoted=json.dumps(task.title, ensure_ascii=False),
        about=summary or f"{task.title}.",
        definition=task.specification or f"{task.title}.",
        scores=", ".join(f"`{key}`" for key in challenge.measures.headline) or "all",
        citation=task.citation.strip(),
        references=f"- [{task.title}]({task.homepage})" if task.homepage else "None.",
    )
