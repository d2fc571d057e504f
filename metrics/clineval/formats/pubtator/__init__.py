"""PubTator and BioC: mentions with concepts, and relations between concepts or mentions."""
