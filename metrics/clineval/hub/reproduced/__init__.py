"""Compare published results with scores that clineval computes from the same outputs.

``published.json`` beside a challenge's definition contains the numbers and their sources. The
repository does not contain other people's files. ``clineval reproduce`` scores the files that are
on this computer; ``python -m clineval.hub.reproduced FILES`` scores the files in the folder
``FILES``, and updates the numbers, their page, and the tables of the metric cards.
"""
