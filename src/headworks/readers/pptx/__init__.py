"""PPTX: slides, their shapes in reading order, notes and comments."""
