"""Pictures of results, drawn with matplotlib (the extra ``plot``); no other package imports it."""
