"""Outputs of released programs: those that are copied here, and the others of the shared folder."""

from conftest import DATA, SHARED


class Oracle:
    """The corpora of one challenge.

    Args:
        name: its folder here.
        shared: its folder in the shared one, where that has another name.
    """

    def __init__(self, name, shared=""):
        self.here, self.there = DATA / "oracle" / name, SHARED / "oracle" / (shared or name)

    def outputs(self, pattern):
        """All files of a name; of the shared folder, where it is here, those not copied."""
        found = sorted(self.here.rglob(pattern))
        copied = {path.relative_to(self.here) for path in found}
        others = sorted(self.there.rglob(pattern))
        return [*found, *(path for path in others if path.relative_to(self.there) not in copied)]


def name_output(path):
    """What a test of an output is called."""
    return f"{path.parent.name}/{path.name}"
