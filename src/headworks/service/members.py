"""Documents that were in a document: taken in as documents of the same job.

Takes the members that a worker unpacked, gives their rows and jobs, and writes ``members.json``
beside the result. Never lets one that cannot be taken in stop the others: it is listed.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec

from headworks.errors import HeadworksError
from headworks.model.job import Job
from headworks.model.verdict import Priority
from headworks.readers.frames import Member
from headworks.readers.sniff import sniff
from headworks.service.keeping import Keeping
from headworks.service.packs import Chosen, digest_of, versions_of
from headworks.service.registry import Origin, document_row, options_of, packs_of, process_job
from headworks.service.shop import Shop
from headworks.service.weights import memory_budget
from headworks.store.documents import DocumentRow

MEMBERS_FILE = "members.json"
_PIECE_BYTES = 1 << 18
# What no file's name may have: controls, and marks that turn the direction of writing.
_UNSHOWN = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u202a-\\u202e\\u2066-\\u2069]")


class MemberRecord(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of ``members.json``: a document that was in this one, or why it is none."""

    name: str
    document: str = ""
    code: str = ""
    message: str = ""


class Joined(msgspec.Struct, frozen=True):
    """Rows and jobs of the members, and how many could not be taken in."""

    rows: tuple[DocumentRow, ...] = ()
    jobs: tuple[Job, ...] = ()
    failed: int = 0


async def take_in(
    shop: Shop, parent: DocumentRow, members: Sequence[Member], into: tuple[Path, Keeping]
) -> Joined:
    """Take members in: the folder gets the list of them, what keeps them their bytes."""
    folder, held = into
    if not members:
        return Joined()
    options = options_of(parent)
    sources = await shop.database.read(lambda connection: packs_of(connection, options))
    chosen = Chosen(sources, versions_of(sources), digest_of(sources))
    budget = memory_budget(shop.settings.service.memory_bytes)
    rows: dict[str, DocumentRow] = {}
    records: list[MemberRecord] = []
    for member in members:
        if member.failure is not None:
            failure = member.failure
            records.append(MemberRecord(member.shown, "", failure.code, failure.message))
            continue
        try:
            origin = await _origin(shop, parent, member, held)
        except HeadworksError as fault:
            records.append(MemberRecord(member.shown, "", fault.code, fault.message))
            continue
        row = document_row(origin, chosen, shop.settings)
        rows.setdefault(row.id, row)
        records.append(MemberRecord(member.shown, row.id))
    content = msgspec.json.format(msgspec.json.encode(records), indent=1) + b"\n"
    await asyncio.to_thread((folder / MEMBERS_FILE).write_bytes, content)
    jobs = tuple(process_job(row, budget) for row in rows.values())
    return Joined(tuple(rows.values()), jobs, sum(not record.document for record in records))


async def _origin(shop: Shop, parent: DocumentRow, member: Member, held: Keeping) -> Origin:
    """Keep a member's bytes and give where it comes from."""
    path, options = Path(member.path), options_of(parent)
    kind = await asyncio.to_thread(sniff, path, path.suffix)
    stored = await held.put(pieces(path), shop.settings.service.max_upload_bytes)
    above, _, name = _UNSHOWN.sub("", member.shown).rpartition("/")
    return Origin(
        name=name or path.name,
        sha256=stored.sha256,
        size=stored.size,
        media_type=kind.media_type,
        client=parent.client,
        priority=msgspec.convert(parent.priority, Priority),
        tags=options.tags,
        stream=options.stream,
        parent=parent.id,
        place=f"{options.place}{parent.name}/{above}{'/' if above else ''}",
        root=parent.job,
    )


async def pieces(path: Path) -> AsyncIterator[bytes]:
    """Give a file's bytes piece by piece, read beside the loop."""
    file: BinaryIO = await asyncio.to_thread(path.open, "rb")
    try:
        while piece := await asyncio.to_thread(file.read, _PIECE_BYTES):
            yield piece
    finally:
        file.close()
