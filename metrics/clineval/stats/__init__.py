"""Uncertainty of scores: resampling, intervals, significance, comparison of systems."""
