"""Foundations that every layer uses: errors, files, escaping, JSON, arrays, ratios, signatures."""
