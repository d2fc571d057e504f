"""The ground: errors, files, escaping, strict JSON, arrays, ratios, signatures."""
