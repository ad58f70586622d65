"""Mail: EML and MSG, their heads, bodies and attachments."""
