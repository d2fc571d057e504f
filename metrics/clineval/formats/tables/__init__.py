"""Tables of Arrow: columns, rows, Parquet."""
