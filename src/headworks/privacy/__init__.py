"""What is personal in a text: recognisers, tokens that stand in for it, a vault that keeps it."""
