"""Commands in this process."""

from typer.testing import CliRunner

from clineval.cli import make_app


def invoke(arguments, **options):
    """What a command line of ``clineval`` does; the options are those of ``CliRunner.invoke``."""
    words = [str(argument) for argument in arguments]
    return CliRunner().invoke(make_app(words), words, **options)
