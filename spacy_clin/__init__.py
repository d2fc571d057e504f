"""Scores spaCy pipelines with clineval; under construction."""
