"""The HuggingFace Hub: metric cards, Spaces that hold a metric, results on model cards."""
