"""The command line: verbs of contract.md, one file each; nothing outside this folder prints."""
