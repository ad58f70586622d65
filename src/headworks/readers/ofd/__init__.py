"""OFD (GB/T 33190): pages of placed text, read from their XML."""
