"""Write files and folders next to their place, and move them there when they are complete."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from clineval.base.files import is_there, make_directory, unwritable


@contextmanager
def beside(target: Path) -> Iterator[Path]:
    """Yield a temporary folder next to a target, which is removed in any case.

    If the target does not exist afterwards, the folders that were made for it are removed too.

    Raises:
        InputError: something cannot be written.
    """
    made = [parent for parent in target.parents if not is_there(parent)]
    try:
        make_directory(target.parent)
        with TemporaryDirectory(prefix=".clineval-", dir=target.parent) as folder:
            yield Path(folder)
    except OSError as error:
        raise unwritable(error, target) from None
    finally:
        if not is_there(target):
            _remove_empty(made)


@contextmanager
def filled(target: Path) -> Iterator[Path]:
    """Yield a folder to fill, and move it to the target; after an error, nothing is left.

    Other files in the parent of the yielded folder are removed in any case.
    """
    with beside(target) as temporary:
        folder = temporary / "filled"
        folder.mkdir()
        yield folder
        folder.replace(target)


def _remove_empty(folders: Iterable[Path]) -> None:
    """Remove folders, innermost first, until one is not empty."""
    with suppress(OSError):
        for folder in folders:
            folder.rmdir()
