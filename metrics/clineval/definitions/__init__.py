"""Plain parts that the definitions of several challenges share.

The definition of a challenge, ``challenges/<name>/definition.py``, computes its scores in plain
Python, as the challenge's document describes them. It is for reading: the package itself counts
with arrays, and the tests compare both on random data. Definitions import the standard library and
this folder only, and no other part of the package imports them. ``clineval describe NAME --code``
prints a definition with the parts that it uses.

Each definition has a function ``score_documents(gold, predicted, ...)``. Both arguments are lists
of documents, dicts as in JSON Lines, and a document of one side is compared with the document of
the other side that has the same ``id``. The result maps the names of scores to numbers, under the
names that ``clineval score`` gives them.
"""
