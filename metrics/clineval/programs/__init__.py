"""What released programs make of tables, rows and lines, and what they print."""
