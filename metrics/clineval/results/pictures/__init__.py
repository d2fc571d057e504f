"""Pictures of results, drawn with matplotlib: the extra ``plot``; nothing else imports it."""
