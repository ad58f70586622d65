"""What ``test_offline`` runs in a network of its own: ``python -m tests.web.offline FOLDER``."""

import sys
from pathlib import Path

from tests.web import papers
from tests.web.serving import served

_SETTINGS = '[rules]\npacks = ["contract"]\n[service]\nworkers = 1\n'


def main() -> int:
    """Have a service do its work; 0 where all of it was done."""
    with served(Path(sys.argv[1]), _SETTINGS) as server, server.client() as client:
        for name, content in (("a.txt", papers.text(1)), ("b.pdf", papers.page(2))):
            answer = client.post("/v1/preprocess", files={"file": (name, content)})
            document = answer.json()["document"]
            pages = client.get(f"/v1/documents/{document}/pages/1.png").status_code
            if not answer.json()["chunks"] or pages != (200 if name.endswith("pdf") else 404):
                return 1
        return 0 if all(client.get("/readyz").json()["checks"].values()) else 1


if __name__ == "__main__":
    sys.exit(main())
