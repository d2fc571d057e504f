"""What a process takes, by the clock and of a processor, beside a bare read of the same files.

The processor's time, and the ratio to the bare read, hardly change where others are busy.
"""

import os
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


def measure_with_memory(*command):
    """Seconds by the clock, seconds of a processor, and the most memory in MB of one process."""
    start = time.perf_counter()
    quiet = subprocess.DEVNULL
    process = subprocess.Popen([sys.executable, *map(str, command)], stdout=quiet, stderr=quiet)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    elapsed = time.perf_counter() - start
    return elapsed, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024
