"""Words with tags: CoNLL's columns, a word on each line and a tag in one of its columns."""
