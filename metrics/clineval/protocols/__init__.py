"""Ready protocols, which challenges parametrise: what is read, matched and counted."""
