"""Evaluation harnesses that call a metric: Inspect, lm-evaluation-harness, torchmetrics.

Harnesses score sample by sample and average, which is wrong for F1. Here each sample becomes
counts, counts are all that the harness carries, and they are divided once, at the end: the
number is that of ``clineval score``.
"""
