"""The values that pass between the stages; each module owns one noun."""
