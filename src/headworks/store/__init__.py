"""The store: tables, files by content, and what is true of documents and work."""
