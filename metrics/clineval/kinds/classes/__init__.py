"""Classes: what documents are, one answer or several to each question."""
