"""The PDF reader, on pdfium's raw interface. ``reader.read_pdf`` is the way in."""
