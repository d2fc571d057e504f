"""The tutorial with the Trainer runs."""

from needs import need

need("torch", "training")
need("nbclient", "training")


def test_it_gives_what_it_shows():
    from notebooks import check

    check("trainer")
