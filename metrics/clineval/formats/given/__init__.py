"""Whatever a user may give as predictions, references or texts, as what a challenge joins."""
