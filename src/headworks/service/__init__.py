"""The service: all that the command line, and later API and console, may ask.

Takes paths, settings and names, gives values: ``run`` processes files into folders, ``ask``
answers about a file or a chunk, ``rulework`` works on packs, ``doctor`` looks at the
installation. Never prints; faults are exceptions.
"""
