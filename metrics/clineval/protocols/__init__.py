"""Ready protocols, which challenges parametrise: they read, match and count annotations."""
