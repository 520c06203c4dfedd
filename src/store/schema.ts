/** Marks a SQLite file as ours (`PRAGMA application_id`): "clwa" in ASCII. */
export const APPLICATION_ID = 0x636c7761;

/**
 * The migrations that create a store's tables, oldest first; `PRAGMA user_version` counts those that ran. A released migration never
 * changes: a later version adds another one.
 */
export const MIGRATIONS: readonly string[] = [
  `
  -- Facts about the file itself, such as the oldest version of clawai's tables that may still write it.
  CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

  -- A process that records. Its events are one hash chain.
  CREATE TABLE writers (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,  -- random, 16 hex digits
    started INTEGER NOT NULL,   -- milliseconds since the epoch
    version TEXT NOT NULL       -- of clawai
  ) STRICT;

  -- What is searched by, the chain, and last what few searches read. In one row, since each table that a call is recorded in costs
  -- its answer a page of the log.
  CREATE TABLE events (
    seq INTEGER PRIMARY KEY,    -- order of commit
    writer INTEGER NOT NULL,
    n INTEGER NOT NULL,         -- place in the writer's chain, from 1
    time INTEGER NOT NULL,      -- milliseconds since the epoch
    type TEXT NOT NULL,
    session TEXT NOT NULL,
    server TEXT NOT NULL,
    tool TEXT,
    action TEXT,                -- allow | block
    severity TEXT,
    body_hash BLOB NOT NULL,    -- SHA-256 of the body's UTF-8 text
    hash BLOB NOT NULL,         -- SHA-256 of the hash before it and body_hash; before the first: SHA-256 of the writer's name
    body TEXT                   -- the event, as JSON; NULL where it was erased and its place in the chain kept
  ) STRICT;
  CREATE INDEX events_time ON events (time);

  -- Where a writer's chain begins since its oldest events were erased: the last one that was.
  CREATE TABLE checkpoints (
    writer INTEGER PRIMARY KEY,
    n INTEGER NOT NULL,
    hash BLOB NOT NULL,
    time INTEGER NOT NULL       -- when they were erased
  ) STRICT;

  -- What processes must agree on while they decide, such as a counter of calls.
  CREATE TABLE state (
    scope TEXT NOT NULL,        -- a session, or what it is about
    key TEXT NOT NULL,
    value TEXT NOT NULL,        -- JSON
    expires INTEGER NOT NULL,   -- milliseconds since the epoch
    PRIMARY KEY (scope, key)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Questions to a person, and what became of them.
  CREATE TABLE approvals (
    id TEXT PRIMARY KEY,        -- short enough to be typed
    session TEXT NOT NULL,
    server TEXT NOT NULL,
    method TEXT NOT NULL,
    tool TEXT,
    resource TEXT,
    prompt TEXT,
    rule TEXT,                  -- the one that asks
    description TEXT,           -- its own
    policy_file TEXT,           -- the user's policy, and the rule's place in it, from 0
    rule_index INTEGER,
    summary TEXT NOT NULL,      -- the arguments without secrets
    args TEXT,                  -- the arguments as they were sent, or their beginning, while the question waits
    args_length INTEGER NOT NULL, -- characters that they had
    fingerprint TEXT NOT NULL,  -- HMAC of server, method, subject and canonical arguments
    can_remember INTEGER NOT NULL,
    asked_at INTEGER NOT NULL,  -- milliseconds since the epoch
    expires_at INTEGER NOT NULL,
    asker_pid INTEGER NOT NULL,
    asker_started TEXT NOT NULL,
    state TEXT NOT NULL,        -- waiting | granted | refused | expired | withdrawn
    answered_at INTEGER,
    answered_by TEXT,
    remember TEXT               -- once | session | always
  ) STRICT;
  CREATE INDEX approvals_asked ON approvals (asked_at);
  CREATE INDEX approvals_waiting ON approvals (expires_at) WHERE state = 'waiting';

  -- What a person has granted for the rest of a session.
  CREATE TABLE grants (
    session TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    server TEXT NOT NULL,
    method TEXT NOT NULL,
    subject TEXT,               -- tool, resource or prompt
    approval TEXT NOT NULL,     -- id of the question
    granted_by TEXT NOT NULL,
    expires INTEGER NOT NULL,
    PRIMARY KEY (session, fingerprint)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- What else the call's parameters say, as JSON, while the question waits.
  ALTER TABLE approvals ADD COLUMN extra TEXT;

  -- When it was given, or counted last: a session in which nothing happens for long is over.
  ALTER TABLE grants ADD COLUMN used INTEGER NOT NULL DEFAULT 0;
  `,
  `
  -- How servers are started or reached, and how they were when a person trusted that. Never erased.
  CREATE TABLE registry_servers (
    server TEXT PRIMARY KEY,
    pinned TEXT,                -- fingerprint of the launch identity that is trusted; NULL where none is
    seen TEXT NOT NULL,         -- of the one that was seen last
    first_seen INTEGER NOT NULL, -- milliseconds since the epoch
    changed_at INTEGER NOT NULL, -- when seen became what it is
    approved_at INTEGER,
    approved_by TEXT,
    pinned_text TEXT,           -- as JSON; NULL where it is what was seen last
    seen_text TEXT NOT NULL
  ) STRICT;

  -- Every launch identity that was ever trusted: one name may stand for a server in several projects, each with its own arguments.
  CREATE TABLE registry_identities (
    server TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (server, fingerprint)
  ) STRICT, WITHOUT ROWID;

  -- What servers declare, and what of it is trusted. Never erased. The texts stand last: who asks for one row reads none of them.
  CREATE TABLE registry (
    id INTEGER PRIMARY KEY,
    server TEXT NOT NULL,
    kind TEXT NOT NULL,         -- tool | resource | resource_template | prompt | instructions
    name TEXT NOT NULL,         -- or URI; one that begins with a quote is JSON
    pinned TEXT,                -- fingerprint of the definition that is trusted; NULL where none is
    seen TEXT NOT NULL,         -- of the one that was seen last
    is_listed INTEGER NOT NULL, -- 0: the last whole listing did not have it
    first_seen INTEGER NOT NULL, -- milliseconds since the epoch
    changed_at INTEGER NOT NULL, -- when seen became what it is
    approved_at INTEGER,
    approved_by TEXT,
    look TEXT,                  -- of a tool: what its name looks like
    size INTEGER NOT NULL,      -- characters of seen_text
    pinned_text TEXT,           -- as JSON; NULL where it is what was seen last
    seen_text TEXT,             -- NULL where the server's definitions were too large to keep
    UNIQUE (server, kind, name)
  ) STRICT;
  CREATE INDEX registry_look ON registry (look) WHERE look IS NOT NULL;

  -- Pages of lists as they were when they were last compared with what is trusted.
  CREATE TABLE registry_listings (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    cursor TEXT NOT NULL,       -- that the page was asked for with
    digest TEXT NOT NULL,       -- of its bytes
    time INTEGER NOT NULL,      -- milliseconds since the epoch
    PRIMARY KEY (server, kind, cursor)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Which servers have a tool of one name, who had it first first. INDEXED BY names it.
  CREATE INDEX registry_tools ON registry (name, first_seen) WHERE kind = 'tool';

  -- Runs of agents that go by one name; where one was idle for long, the next has a number. Here and below, names that SQLite can't
  -- hold are JSON and begin with a quote.
  CREATE TABLE sessions (
    name TEXT PRIMARY KEY,
    n INTEGER NOT NULL,         -- of the run, from 1
    last INTEGER NOT NULL       -- when it was active, to the minute; milliseconds since the epoch
  ) STRICT, WITHOUT ROWID;

  -- Which servers are part of a session.
  CREATE TABLE session_servers (
    session TEXT NOT NULL,
    server TEXT NOT NULL,
    time INTEGER NOT NULL,      -- when the session was active, to the minute
    PRIMARY KEY (session, server)
  ) STRICT, WITHOUT ROWID;

  -- The latest calls of a session that went on, for what looks back at them; the events are the record.
  CREATE TABLE session_calls (
    session TEXT NOT NULL,
    n INTEGER NOT NULL,         -- order in the session; of its first one, the time
    time INTEGER NOT NULL,
    id TEXT NOT NULL,           -- of the event
    server TEXT NOT NULL,
    method TEXT NOT NULL,
    subject TEXT NOT NULL,      -- tool, resource or prompt
    categories TEXT NOT NULL,   -- words with spaces between
    turn TEXT,                  -- of the model; NULL where it is not known
    forwarded INTEGER,          -- 1; NULL: the call of that id is taken back
    PRIMARY KEY (session, n)
  ) STRICT, WITHOUT ROWID;

  -- Keyed hashes of what results had in them.
  CREATE TABLE session_values (
    session TEXT NOT NULL,
    n INTEGER NOT NULL,         -- order in the session; of its first one, the time
    source TEXT NOT NULL,       -- id of the call's event
    server TEXT NOT NULL,
    time INTEGER NOT NULL,
    hashes BLOB NOT NULL,
    PRIMARY KEY (session, n)
  ) STRICT;
  `,
  `
  -- Calls that were seen in a model's answer and not where they are made, so far: whoever sees one there takes its row.
  CREATE TABLE sightings (
    session TEXT NOT NULL,
    call TEXT NOT NULL,         -- HMAC of server, tool and canonical arguments
    n INTEGER NOT NULL,         -- order among those of the call
    time INTEGER NOT NULL,      -- milliseconds since the epoch
    event TEXT NOT NULL,        -- id of its event
    tool_use TEXT NOT NULL,     -- the API's id of the call
    denied INTEGER NOT NULL,    -- 1: the agent never got it
    question TEXT,              -- what a person has said yes to, and under which policy; NULL where nobody was asked
    approval TEXT,              -- id of the question
    granted_by TEXT,
    remember TEXT,              -- once | session | always
    PRIMARY KEY (session, call, n)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sightings_time ON sightings (time);
  CREATE INDEX sightings_named ON sightings (call, tool_use);

  -- Which events keep what was asked of an LLM provider or answered: it goes before they do. Not an index of the events, which would have to be
  -- made of all that there are.
  CREATE TABLE bodies (
    seq INTEGER PRIMARY KEY,
    time INTEGER NOT NULL       -- milliseconds since the epoch
  ) STRICT;
  `,
  `
  -- What detection has found in definitions: of each as it was seen last, and as it is trusted. Apart from them, since a clawai that does not
  -- know of it goes on writing those: what was found counts only for the fingerprint that it was found in.
  CREATE TABLE registry_looks (
    server TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    version TEXT NOT NULL,      -- of the rules
    time INTEGER NOT NULL,      -- milliseconds since the epoch
    severity TEXT,              -- of the most severe; NULL where nothing was found
    detections TEXT NOT NULL,   -- JSON: version, severity, isCut, detections
    PRIMARY KEY (server, kind, name, fingerprint)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  -- Servers that list one tool are told apart by the order of their rows: a clock that was set back made a newcomer the first.
  DROP INDEX registry_tools;
  CREATE INDEX registry_tools ON registry (name) WHERE kind = 'tool';
  `,
  `
  -- Which client used a server last, and where. In the registry's tables, a server that is the JSON array of a name and a fingerprint is one
  -- launch of that name, which has its own pins.
  CREATE TABLE registry_uses (
    server TEXT NOT NULL,
    client TEXT NOT NULL,       -- as it calls itself; empty where it has not said
    folder TEXT NOT NULL,       -- empty for a remote server
    time INTEGER NOT NULL,      -- milliseconds since the epoch
    PRIMARY KEY (server, client, folder)
  ) STRICT, WITHOUT ROWID;
  `,
];

/** `min_writer` in `meta`: the oldest version of the tables whose programs may still write a file with the tables above. */
export const MIN_WRITER = 1;
