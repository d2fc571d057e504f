"""What a process takes, by the clock and of a processor, beside a bare read of the same files.

The processor's time, and the ratio to the bare read, hardly change where others are busy.
"""

import resource
import subprocess
import sys
import time

_READ = """
import pathlib, sys
for path in pathlib.Path(sys.argv[1]).rglob("*"):
    if path.is_file():
        path.read_bytes()
"""


def measure(*command):
    """Seconds by the clock, and of a processor."""
    start, used = time.perf_counter(), _processor_time()
    subprocess.run([sys.executable, *map(str, command)], check=True, capture_output=True)
    return time.perf_counter() - start, _processor_time() - used


def measure_reading(folder):
    """Python, started to read all files below a folder and to do nothing else."""
    return measure("-c", _READ, folder)


def _processor_time():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
