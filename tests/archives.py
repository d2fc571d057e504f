"""Archives taken apart by any Python 3.11 to 3.14: those before 3.11.4 know no filter."""

import subprocess
import sys


def unpack(archive, folder):
    """Write the files of a source distribution into a new folder; return the one within it."""
    command = [sys.executable, "-m", "tarfile", "--extract", str(archive), str(folder)]
    subprocess.run(command, check=True, capture_output=True)
    [unpacked] = folder.iterdir()
    return unpacked
