"""The REST API: contract.md section 4 on Litestar."""
