"""The API, asked over real HTTP."""
