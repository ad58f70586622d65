"""Text in scans and pictures, recognised on this machine: no network, no download."""
