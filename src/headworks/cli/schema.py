"""``headworks schema``: the JSON Schema of a result file.

Takes a record's name, prints its schema. Never needs a result.
"""

import click
import msgspec

from headworks.assembly.schema import RECORDS
from headworks.assembly.schema import schema as schema_of
from headworks.cli.language import say
from headworks.cli.output import raw
from headworks.cli.verbs import Verb


@click.command(
    cls=Verb,
    help=say(
        "输出 JSON Schema：chunks.jsonl 的一行（chunk）、document.json（document）、"
        "ledger.jsonl 的一行（ledger）、summary.json（summary）。",
        "Print the JSON Schema of a line of chunks.jsonl (chunk), of document.json (document), of "
        "a line of ledger.jsonl (ledger), or of summary.json (summary).",
    ),
)
@click.argument("name", type=click.Choice(list(RECORDS)), metavar="chunk|document|ledger|summary")
def schema(name: str) -> int:
    """Print a schema."""
    encoded = msgspec.json.encode(schema_of(name))
    raw(msgspec.json.format(encoded, indent=2) + b"\n")
    return 0
