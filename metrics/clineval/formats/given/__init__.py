"""Read predictions, references and texts from all forms that users can pass."""
