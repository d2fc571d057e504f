"""The released scoring scripts' own reports, byte for byte: one file for each script."""
