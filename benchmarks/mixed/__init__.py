"""The words of the mixed set, by kind of document."""
