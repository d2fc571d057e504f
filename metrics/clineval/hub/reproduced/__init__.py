"""Compare published results with scores that clineval computes from the same outputs.

``hub_cards/reproduced/results.json`` contains the numbers and their sources. The repository does
not contain other people's files. ``python -m clineval.hub.reproduced FILES`` scores the files in
the folder ``FILES``, and updates the numbers, their page, and the tables of the metric cards.
"""
