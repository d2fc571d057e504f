"""What people look at: tables of scores in several notations."""
