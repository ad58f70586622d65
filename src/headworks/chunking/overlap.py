"""Overlap: the last sentences of the chunk before, repeated in front.

Takes a chunk's spans and those of the chunk before it, gives the range to repeat. Never more than
asked for, never part of a sentence, never across a zone (the caller asks only within one).
"""

from headworks.chunking.sentences import trimmed
from headworks.model.place import Span
from headworks.model.sentences import sentence_ends


def overlap_before(text: str, previous: Span, following: int, room: int) -> Span | None:
    """Give the last sentences of ``previous`` that fit the room, up to where the next text begins.

    ``following`` is the start of the text they are put before: white space up to it is taken
    along, so that the joint reads as it did.
    """
    if room <= 0:
        return None
    end = following if not text[previous.end : following].strip() else previous.end
    if end == previous.end and text[end : end + 1] == "\n":
        end += 1
    reach = max(previous.start, end - room)
    # A sentence that began before the reach must not look like one that begins in it.
    window = max(previous.start, reach - room)
    ends = sentence_ends(text, window, previous.end)
    starts = [at for at in ends if reach <= at < previous.end]
    if previous.start >= reach:
        starts.insert(0, previous.start)
    for start in starts:
        kept = trimmed(text, start, end)
        if kept is not None and end - kept.start <= room:
            return Span(kept.start, end)
    return None
