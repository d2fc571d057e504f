"""Events: triggers with arguments, which count under paired triggers only."""
