"""Analysis of errors: groups of mentions, frequent mistakes, agreement of annotators."""
