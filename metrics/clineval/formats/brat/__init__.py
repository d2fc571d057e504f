"""brat's standoff format."""
