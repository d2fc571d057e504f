"""What a challenge declares, and what is counted, divided and shown of it."""
