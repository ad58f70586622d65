"""RTF: control words, code pages, tables by their cell edges."""
