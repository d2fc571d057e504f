"""Counts of corpora of any size: in parts, with all cores, in bounded memory.

A document's counts are its own. So a corpus is cut into parts of some documents
(:mod:`clineval.evaluation.counting.sources`), each is counted by itself
(:mod:`clineval.evaluation.counting.parts`), in this process or in several
(:mod:`clineval.evaluation.counting.workers`), and the rows of counts are put together in the order
of the documents (:mod:`clineval.evaluation.counting.count`). The numbers are those of one process
that has all documents at once, to the last bit.
"""

from clineval.evaluation.counting.count import count, score

__all__ = ["count", "score"]
