"""The reader of Word documents (DOCX), straight from their XML."""
