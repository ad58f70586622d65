"""A sentence while it is read: where, with which names, and what was to be warned of.

Takes a scanner and a lexicon, gives one value that all readers share. Never reads on its own.
"""

import msgspec

from headworks.rules.complaints import Complaint, SentenceError
from headworks.rules.lexer import Scanner
from headworks.rules.lexicon import Lexicon


class Reading(msgspec.Struct):
    """A sentence being read: where, with which names, and what was to be warned of."""

    scanner: Scanner
    lexicon: Lexicon
    warnings: list[Complaint] = []

    def warn(self, complaint: SentenceError) -> None:
        """Keep a warning."""
        self.warnings.append(complaint.complaint)
