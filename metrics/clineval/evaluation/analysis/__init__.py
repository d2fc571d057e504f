"""Where the errors are: outcomes, groups of mentions, frequent mistakes, agreement."""
