"""Checks of files before they are submitted or scored: all problems, each with its place."""
