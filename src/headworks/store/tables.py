"""The tables of the ledger of work, for both engines.

Takes an engine, gives the statements that create what is missing. Never changes a table that is
there. Times are seconds of the store's clock; flags are 0 and 1; records in records are JSON.
"""

from headworks.store.database import Engine

# ``ticket`` is the order jobs were put in. ``single`` is the key while the job is live or done, so
# that there is no second of it, and none when it has failed or was cancelled. ``target`` is '' for
# none. ``asked`` is the level it was put in with, ``size`` what its place in its lane goes by: its
# cost, until it has aged. ``gate`` is '' for a job that may be claimed, 'later' until
# ``not_before``, 'stream' while a predecessor is not over. ``lost`` counts claims that nobody has
# ended. ``passed`` is when it was first too heavy, ``raised`` when it came to its level, ``aged``
# whether ageing brought it there (1) or to the front of its lane (2).
_JOBS = """
CREATE TABLE IF NOT EXISTS jobs (
  ticket {serial}, id TEXT NOT NULL UNIQUE, single TEXT UNIQUE, kind TEXT NOT NULL,
  root TEXT NOT NULL,
  document TEXT NOT NULL, key TEXT NOT NULL, client TEXT NOT NULL, chunk TEXT,
  target TEXT NOT NULL, level BIGINT NOT NULL, cost BIGINT NOT NULL, weight BIGINT NOT NULL,
  stream TEXT, state TEXT NOT NULL, attempts BIGINT NOT NULL DEFAULT 0,
  fence BIGINT NOT NULL DEFAULT 0, created {real} NOT NULL, not_before {real} NOT NULL,
  code TEXT NOT NULL DEFAULT '', message TEXT NOT NULL DEFAULT '',
  asked BIGINT NOT NULL, size BIGINT NOT NULL, gate TEXT NOT NULL DEFAULT '',
  lost BIGINT NOT NULL DEFAULT 0, passed {real} NOT NULL DEFAULT 0, raised {real} NOT NULL,
  aged BIGINT NOT NULL DEFAULT 0, worker TEXT NOT NULL DEFAULT '',
  lease_until {real} NOT NULL DEFAULT 0, finished {real} NOT NULL DEFAULT 0
)
"""

# A lane is the jobs of one client at one level for one place: fair share is between lanes.
# ``turn`` is the cost it has been served, by which lanes take turns; ``active`` is 1 while it may
# hold a job to claim. ``pool`` is what competes for the same hands.
_LANES = """
CREATE TABLE IF NOT EXISTS lanes (
  kind TEXT NOT NULL, target TEXT NOT NULL, level BIGINT NOT NULL, client TEXT NOT NULL,
  pool TEXT NOT NULL, active BIGINT NOT NULL, turn {real} NOT NULL,
  PRIMARY KEY (kind, target, level, client)
)
"""

_OTHERS = (
    "CREATE TABLE IF NOT EXISTS counters (name TEXT PRIMARY KEY, value BIGINT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS pauses (scope TEXT PRIMARY KEY, since {real} NOT NULL)",
    """
CREATE TABLE IF NOT EXISTS events (
  seq {serial}, root TEXT NOT NULL, kind TEXT NOT NULL, at {real} NOT NULL, body TEXT NOT NULL
)
""",
    """
CREATE TABLE IF NOT EXISTS documents (
  number {serial}, id TEXT NOT NULL UNIQUE, client TEXT NOT NULL, sha256 TEXT NOT NULL,
  name TEXT NOT NULL, media_type TEXT NOT NULL, size BIGINT NOT NULL, settings TEXT NOT NULL,
  priority TEXT NOT NULL, job TEXT NOT NULL, options TEXT NOT NULL, created {real} NOT NULL,
  state TEXT NOT NULL, fence BIGINT NOT NULL DEFAULT 0, answer_fence BIGINT NOT NULL DEFAULT 0,
  finished {real} NOT NULL DEFAULT 0, counts TEXT NOT NULL DEFAULT '{{}}',
  degraded TEXT NOT NULL DEFAULT '', versions TEXT NOT NULL DEFAULT '{{}}'
)
""",
    """
CREATE TABLE IF NOT EXISTS replies (
  number {serial}, job TEXT NOT NULL UNIQUE, document TEXT NOT NULL, root TEXT NOT NULL,
  chunk TEXT NOT NULL, target TEXT NOT NULL, at {real} NOT NULL, record TEXT NOT NULL
)
""",
    """
CREATE TABLE IF NOT EXISTS holds (
  sha256 TEXT NOT NULL, holder TEXT NOT NULL, until {real} NOT NULL, PRIMARY KEY (sha256, holder)
)
""",
    """
CREATE TABLE IF NOT EXISTS access_keys (
  id TEXT PRIMARY KEY, client TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, record TEXT NOT NULL,
  created {real} NOT NULL
)
""",
)

# The state stands first where it is fixed already: planners take equal columns for better.
_INDEXES = (
    # What a claim walks: only jobs that may be claimed are in it, so it is as short as they are.
    "CREATE INDEX IF NOT EXISTS jobs_ready ON jobs (kind, target, level, client, size, ticket)"
    " WHERE state = 'waiting' AND gate = ''",
    "CREATE INDEX IF NOT EXISTS jobs_later ON jobs (state, not_before)"
    " WHERE state = 'waiting' AND gate = 'later'",
    "CREATE INDEX IF NOT EXISTS jobs_leased ON jobs (state, lease_until) WHERE state = 'running'",
    "CREATE INDEX IF NOT EXISTS jobs_aged ON jobs (state, aged)"
    " WHERE state = 'waiting' AND aged > 0",
    "CREATE INDEX IF NOT EXISTS jobs_stream ON jobs (stream, ticket)"
    " WHERE stream IS NOT NULL AND state IN ('waiting', 'running')",
    "CREATE INDEX IF NOT EXISTS jobs_root ON jobs (root, ticket)",
    "CREATE INDEX IF NOT EXISTS jobs_document ON jobs (document)",
    # What ended well is not counted: it only grows. Each index a claim changes is a page to write.
    "CREATE INDEX IF NOT EXISTS jobs_standing ON jobs (state, kind, gate, level, raised, created)"
    " WHERE state IN ('waiting', 'running', 'failed')",
    "CREATE INDEX IF NOT EXISTS lanes_active ON lanes (active, level, turn)",
    "CREATE INDEX IF NOT EXISTS lanes_turn ON lanes (pool, level, active, turn)",
    "CREATE INDEX IF NOT EXISTS events_root ON events (root, seq)",
    "CREATE INDEX IF NOT EXISTS documents_client ON documents (client, number)",
    "CREATE INDEX IF NOT EXISTS documents_created ON documents (created, number)",
    "CREATE INDEX IF NOT EXISTS documents_job ON documents (job)",
    "CREATE INDEX IF NOT EXISTS documents_source ON documents (sha256)",
    "CREATE INDEX IF NOT EXISTS holds_holder ON holds (holder)",
    "CREATE INDEX IF NOT EXISTS replies_document ON replies (document, number)",
    "INSERT INTO counters (name, value) VALUES ('fence', 0) ON CONFLICT DO NOTHING",
)

# A queue's rows change often: PostgreSQL is told to clean up before the dead slow the walk.
_POSTGRES = (
    "ALTER TABLE jobs SET (autovacuum_vacuum_scale_factor = 0.02,"
    " autovacuum_vacuum_cost_delay = 0)",
    "ALTER TABLE lanes SET (autovacuum_vacuum_threshold = 200, fillfactor = 50)",
)


def statements(engine: Engine) -> tuple[str, ...]:
    """Give the statements that make every table and index, in order."""
    serial, real = {
        "sqlite": ("INTEGER PRIMARY KEY AUTOINCREMENT", "REAL"),
        "postgres": ("BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY", "DOUBLE PRECISION"),
    }[engine]
    tables = tuple(
        statement.format(serial=serial, real=real) for statement in (_JOBS, _LANES, *_OTHERS)
    )
    return tables + _INDEXES + (_POSTGRES if engine == "postgres" else ())
