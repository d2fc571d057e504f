"""How sure a number is: resampling, intervals, significance, comparison of systems."""
