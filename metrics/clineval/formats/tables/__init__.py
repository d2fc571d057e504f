"""Arrow tables: columns, rows, and Parquet files."""
