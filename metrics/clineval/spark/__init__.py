"""Count Spark tables where the data is: the driver receives only rows of counts.

``frames`` prepares the work and combines its results. ``files`` finds tables that consist only of
Parquet files. ``partitions`` contains the work of the workers. ``session`` starts Spark on one
machine.
"""

from clineval.spark.frames import count
from clineval.spark.session import check_java, start

__all__ = ["check_java", "count", "start"]
