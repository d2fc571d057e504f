"""Count corpora of any size: in parts, with all cores, in bounded memory.

The counts of a document do not depend on other documents. So a corpus is cut into parts
(:mod:`clineval.evaluation.counting.sources`), and each part is counted separately
(:mod:`clineval.evaluation.counting.parts`), in one process or in several
(:mod:`clineval.evaluation.counting.workers`). The rows of counts are then merged in the order of
the documents (:mod:`clineval.evaluation.counting.count`). The numbers are the same to the last bit
as in one process with all documents.
"""

from clineval.evaluation.counting.count import count, score

__all__ = ["count", "score"]
