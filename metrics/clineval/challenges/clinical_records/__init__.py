"""Records of any schema: fields with values, and lists of objects in objects.

A document has one object, or a list of objects, for example the medications of a note with their
doses. A JSON Schema describes the objects. Each field has a score of its own, and gold and
predicted objects are paired one to one, so that the order of lists makes no difference.

The option ``schema`` is a JSON Schema (2020-12), as a file or a dict. Its root is an
object, if each document has one, or an array of objects. A property is a field, an object whose
properties are fields of the object around it (``patient.age``), or an array of objects, which is a
list inside each object. Without a schema, the fields follow from the gold standard, with the usual
comparison of each type. These keywords are understood:

    shape         type, properties, required, additionalProperties (true or false), items, enum,
                  const
    limits        minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength,
                  pattern, minItems, maxItems, uniqueItems
    parts         $ref inside the file, $defs; anyOf, oneOf and allOf with one alternative
                  besides null
    remarks       title, description, examples, default, format and others that limit nothing

Any other keyword is an error, because ignoring it would change the meaning of the schema.

These keywords of a field say how its values compare:

    x-compare     equal    the same JSON value (the usual comparison of strings and booleans)
                  fold     the same text without case, with one blank between words
                  words    shared words, without case and punctuation
                  set      shared members of a list (usual for arrays of other values than objects)
                  number   the same number, 5 and 5.0 too (usual for numbers)
                  date     the same ISO 8601 year, month, date or time (usual for format: date)
                  enum     the same value of the list (usual for enum and const)
                  code     the same code without case, blanks and points
    x-tolerance   the largest difference between two equal numbers
    x-unit        the unit that may follow a number in a string: "5 mg" equals 5; other units are
                  not converted, and violate the schema
    x-key         true for a field that decides which objects are paired
    x-ignore      true for a property that is left out
    x-hierarchy   false for a field of codes that the option ``hierarchy`` does not score

Members of a set compare by the ``x-compare`` of ``items``; repeats count once. ``null``, an empty
string and an empty list are the same as a missing property.

If each document has one object, gold and predicted object are paired. Objects of a
list are paired so that the sum of the F1 of their first field with ``x-key`` is largest, in ties
that of the next key, and then that of all fields together. A list without ``x-key`` is paired by
the sum over all fields. In that sum, the lists inside an object together count as one field, whose
members are the objects in them, each equal or different as a whole; otherwise what is inside has
no influence on the pairs. Each F1 is rounded down to millionths. Objects that share nothing in
their first key, or without keys in any field, are never paired. Objects inside are paired only
within the pairs of the objects around them, by the same rules; inside unpaired objects they are
all missed or spurious. Ties are decided by the objects' texts, so that the order of lists makes no
difference.

For each field, over the objects of all documents:

    <field>_precision, _recall, _f1

For words and sets, P is the mean over predicted objects with the field of common / predicted
members, R that over gold objects of common / gold members, and F1 = 2 P R / (P + R). For all other
fields,

    P = tp / (tp + fp)        R = tp / (tp + fn)        F1 = 2 tp / (2 tp + fp + fn)

where tp counts pairs with equal values. A wrong value is a false positive and a false negative.

    fields_mean_f1     the mean of the F1 of all fields that either side has, which ranks systems;
                       ``fields_mean_precision`` and ``fields_mean_recall`` are means too
    records_match_f1   of objects, where tp counts pairs
    records_exact_f1   the same for pairs that agree in all fields, and in all objects inside
    documents_exact    the share of documents whose objects are all right

With the option ``hierarchy``, the values of all fields that compare as ``code`` are also scored
with their ancestors (``h_f1``), at each level (``level0_f1``, ...) and with CoPHE's counts
(``cophe_f1``); docs/hierarchies.md defines them. A code is compared with the codes of the same
field in the paired object.

All scores lie between 0 and 1; a score whose denominator is 0 is 0. Documents on one side only
count as all missed, or all spurious.

A gold standard that violates the schema is an error. A predicted value that does is wrong, like
any other wrong value; a predicted object that is none is wrong in all fields. Warnings count the
documents with such predictions, and the properties that the schema does not describe.

There is one protocol, ``spec``, because no challenge and no script stands behind this module. The
idea, a schema that says how each field compares, is that of ExtractBench, whose comparisons by
language models are left out.

Source: Ferguson et al., ExtractBench: A Benchmark and Evaluation Methodology for Complex
Structured Extraction, arXiv 2602.12247.
"""

from __future__ import annotations

from pathlib import Path

from clineval.protocols.shaped_records import ShapedRecords
from clineval.results.challenge import Challenge
from clineval.results.task import Demo, Task

CHALLENGE = Challenge(
    Task(
        name="clinical_records",
        title="Records of any schema",
        homepage="https://arxiv.org/abs/2602.12247",
        citation="""\
@misc{ferguson-etal-2026-extractbench,
    title = "{ExtractBench}: A Benchmark and Evaluation Methodology for Complex Structured
        Extraction",
    author = "Ferguson, Nick and Pennington, Josh and Beghian, Narek and Mohan, Aravind and
        Kiela, Douwe and Agrawal, Sheshansh and Nguyen, Thien Hang",
    eprint = "2602.12247",
    archivePrefix = "arXiv",
    year = "2026",
}""",
        configs={"default": "fields, records and documents"},
        definition=__doc__,
        file=__file__,
    ),
    protocols={"spec": ShapedRecords()},
    demo=Demo(
        "Records: visits with their medications, in six notes",
        "gold.jsonl",
        {"model": "model.jsonl", "rules": "rules.jsonl"},
        {"schema": Path("schema.json")},
    ),
)
