"""Events: triggers with arguments, which count only under paired triggers."""
