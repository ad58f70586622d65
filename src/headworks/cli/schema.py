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
from headworks.rules.pack_schema import pack_schema


@click.command(
    cls=Verb,
    help=say(
        "输出 JSON Schema：chunks.jsonl 的一行（chunk）、document.json（document）、"
        "ledger.jsonl 的一行（ledger）、summary.json（summary）、answer.json（answer）、"
        "trace.json（trace）；规则包 YAML（pack）。",
        "Print the JSON Schema of a line of chunks.jsonl (chunk), of document.json (document), of "
        "a line of ledger.jsonl (ledger), of summary.json (summary), of answer.json (answer), of "
        "trace.json (trace), or of a rule pack's YAML, for editors (pack).",
    ),
)
@click.argument(
    "name",
    type=click.Choice([*RECORDS, "pack"]),
    metavar="|".join([*RECORDS, "pack"]),
)
def schema(name: str) -> int:
    """Print a schema."""
    found = pack_schema() if name == "pack" else schema_of(name)
    encoded = msgspec.json.encode(found)
    raw(msgspec.json.format(encoded, indent=2) + b"\n")
    return 0
