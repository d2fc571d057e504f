"""Classes of documents: one answer or several to each question."""
