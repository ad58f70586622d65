"""Findings about the input: values that travel with the document, not exceptions.

Takes nothing, gives ``Problem``. Never stops a run: what stops one is in ``errors``.
"""

import msgspec

from headworks.model.place import Span


class Problem(msgspec.Struct, frozen=True):
    """Something about the input that a person should know: ``W_…`` warned, ``E_…`` degraded.

    ``place`` is told in words ("page 3", "word/document.xml paragraph 12"); ``span`` where known.
    """

    code: str
    message: str
    place: str = ""
    hint: str = ""
    span: Span | None = None
