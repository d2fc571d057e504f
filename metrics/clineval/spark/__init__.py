"""Tables of Spark, counted where they lie: only rows of counts come to the driver.

``frames`` prepares the work and puts its results together; ``files`` finds tables that are Parquet
files and nothing else; ``partitions`` is what the workers do; ``session`` starts Spark on one
machine.
"""

from clineval.spark.frames import count
from clineval.spark.session import check_java, start

__all__ = ["check_java", "count", "start"]
