"""The bundled demo corpora, for tests that hold for every challenge."""

from clineval.cli.demo import CORPORA, DEMOS


def arguments_of(name, system=0):
    """Predictions, references and options of a demo, as ``clineval.score`` takes them."""
    demo = next(demo for demo in DEMOS if demo.module == name)
    corpus = CORPORA / name
    options = {option: corpus / path for option, path in demo.options.items()}
    return (corpus / [*demo.systems.values()][system], corpus / demo.gold), options
