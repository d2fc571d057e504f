"""Records: what is said of a document in fields with values, without any place in its text."""
