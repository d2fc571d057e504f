"""Read tables, rows and lines as released programs do, and print what they print."""
