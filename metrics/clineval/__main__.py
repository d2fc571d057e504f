"""``python -m clineval``."""

from clineval.cli import main

main()
