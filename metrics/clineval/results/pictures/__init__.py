"""Pictures of results, drawn with matplotlib (the extra ``plot``), which only this imports."""
