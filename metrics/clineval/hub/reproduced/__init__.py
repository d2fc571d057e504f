"""Published results beside ours: what others' outputs were said to score, and what they score here.

``hub_cards/reproduced/results.json`` has the numbers, and where each of them comes from; files of
others are not in the repository. ``python -m clineval.hub.reproduced FILES`` scores anew what lies
in the folder ``FILES``, and writes the numbers, their page, and the tables of the metric cards.
"""
