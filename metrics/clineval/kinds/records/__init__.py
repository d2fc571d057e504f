"""Records: fields with values for a document, without spans in its text."""
