"""Lines of cells: the pipe formats of SemEval-2015 and ShARe/CLEF."""
