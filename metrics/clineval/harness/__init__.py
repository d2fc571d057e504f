"""Evaluation harnesses that call a metric: Inspect, lm-evaluation-harness, torchmetrics.

Harnesses score each sample and average, which is wrong for F1. Here, each sample becomes counts.
The harness carries only counts, and scores are computed once, at the end. So the number equals that
of ``clineval score``.
"""
