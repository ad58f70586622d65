"""The interface as it is told, and asked at random."""

import subprocess
import sys
from pathlib import Path

import httpx

from tests.web.serving import Server

CONTRACT = {
    "/v1/documents": {"post", "get"},
    "/v1/preprocess": {"post"},
    "/v1/jobs/{job}": {"get"},
    "/v1/jobs/{job}/events": {"get"},
    "/v1/documents/{document}": {"get", "delete"},
    "/v1/documents/{document}/chunks": {"get"},
    "/v1/documents/{document}/pages/{name}": {"get"},
    "/v1/documents/{document}/trace": {"get"},
    "/v1/documents/{document}/original": {"get"},
    "/v1/rules/{pack}": {"get", "put"},
    "/v1/rules/test": {"post"},
    "/v1/failed": {"get"},
    "/v1/failed/{job}/retry": {"post"},
    "/healthz": {"get"},
    "/readyz": {"get"},
    "/metrics": {"get"},
}


def test_the_contract_is_told(client: httpx.Client) -> None:
    """Every call of the contract stands in the OpenAPI, each with an id and a summary."""
    told = client.get("/schema/openapi.json").json()
    for path, methods in CONTRACT.items():
        assert methods <= set(told["paths"][path]), path
    operations = [operation for methods in told["paths"].values() for operation in methods.values()]
    ids = [operation["operationId"] for operation in operations]
    assert len(set(ids)) == len(ids)
    assert all(operation.get("description") for operation in operations)


def test_an_upload_is_told_with_its_fields(client: httpx.Client) -> None:
    """The form that is read as a stream is in the OpenAPI all the same."""
    told = client.get("/schema/openapi.json").json()
    form = told["paths"]["/v1/documents"]["post"]["requestBody"]["content"]["multipart/form-data"]
    assert form["schema"]["required"] == ["file"]
    assert {"priority", "client", "tags", "rules", "wait"} <= set(form["schema"]["properties"])


def test_no_request_makes_the_server_fail(server: Server, tmp_path: Path) -> None:
    """Requests made from the OpenAPI at random, valid and not, never give a 5xx."""
    run = subprocess.run(
        [
            str(Path(sys.executable).parent / "st"),
            "run",
            f"{server.address}/schema/openapi.json",
            "--max-examples=3",
            "--seed=7",
            "--checks=not_a_server_error",
            "--phases=fuzzing",
            "--request-timeout=30",
        ],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        timeout=240,
        check=False,
    )
    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
