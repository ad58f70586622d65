"""Dispatch: what is to be done becomes jobs, and jobs reach workers and targets in order."""
