"""Start a local Spark session, and check the Java that it needs."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from clineval.base.errors import InputError, need

if TYPE_CHECKING:  # an extra
    from pyspark.sql import SparkSession

_OLDEST = {3: 8, 4: 17}
"""The oldest supported Java for each version of Spark."""
_FAST = {
    "spark.driver.defaultJavaOptions": "-XX:+UseParallelGC",  # throughput matters, not latency
    "spark.sql.parquet.columnarReaderBatchSize": "128",  # rows have hundreds of values
    "spark.sql.files.openCostInBytes": "65536",  # otherwise one core gets the larger part of a file
}
"""Settings that make a local session faster; ``counting/README.md`` shows by how much."""


def start(cores: int = 2, **settings: str) -> SparkSession:
    """Start a local session for experiments; its workers run this Python, and it is not reachable.

    Args:
        cores: the number of cores to use.
        settings: further settings of Spark, with ``_`` instead of dots.

    Raises:
        InputError: PySpark or Java is missing, or Java is too old; the message names what to
            install.
    """
    pyspark = need("pyspark", "spark", "Spark is not installed")
    version = int(pyspark.__version__.split(".")[0])
    check_java(_OLDEST.get(version, max(_OLDEST.values())))
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    chosen = {
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.ui.enabled": "false",
        **_FAST,
        **{name.replace("_", "."): value for name, value in settings.items()},
    }
    builder = SparkSession.builder.master(f"local[{cores}]").appName("clineval")
    for name, value in chosen.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


def check_java(oldest: int) -> None:
    """Check that Java is installed and not too old.

    Raises:
        InputError: Java is missing or too old; the message names what to install.
    """
    remedy = "Install OpenJDK 17 (Debian: apt-get install openjdk-17-jre-headless), set JAVA_HOME"
    home = os.environ.get("JAVA_HOME")
    program = str(Path(home) / "bin" / "java") if home else shutil.which("java")
    try:
        banner = subprocess.run(  # noqa: S603 - the user's own Java
            [program or "java", "-version"], capture_output=True, text=True, check=True
        ).stderr
    except (OSError, subprocess.CalledProcessError):
        raise InputError("Spark needs Java, which is not installed", remedy=remedy) from None
    found = re.search(r'"(?:1\.)?(\d+)', banner)
    if found and int(found[1]) < oldest:
        problem = f"Spark needs Java {oldest} or later, but this is Java {found[1]}"
        raise InputError(problem, remedy=remedy)
