CREATE TABLE account (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    proof BLOB NOT NULL, -- sealed
    system_id TEXT,
    token TEXT,
    etag TEXT,
    seen TEXT NOT NULL DEFAULT '',
    refusals INTEGER NOT NULL DEFAULT 0,
    wrong_at TEXT,
    hash BLOB NOT NULL DEFAULT (zeroblob(32)),
    last_complete TEXT,
    stage INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE item (
    id TEXT PRIMARY KEY,
    tag TEXT,
    copy BLOB, -- sealed
    edit_kind INTEGER NOT NULL, -- 0 none, 1 a document, 2 a deletion
    edit BLOB, -- sealed
    edited INTEGER, -- the order of first edits
    waits INTEGER NOT NULL,
    refused_at TEXT,
    refused BLOB, -- sealed
    held INTEGER NOT NULL,
    unsure INTEGER NOT NULL
) STRICT;
CREATE INDEX item_edited ON item (edited) WHERE edit_kind > 0;
CREATE INDEX item_marked ON item (id) WHERE (waits = 1 OR held = 1 OR refused_at IS NOT NULL);
CREATE TABLE request (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    fields TEXT NOT NULL,
    body BLOB NOT NULL, -- sealed
    failures INTEGER NOT NULL
) STRICT;
CREATE TABLE request_part (
    place INTEGER PRIMARY KEY,
    item TEXT NOT NULL UNIQUE,
    tag TEXT,
    copy BLOB, -- sealed
    edit_kind INTEGER NOT NULL,
    edit BLOB -- sealed
) STRICT;
CREATE TABLE lost (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    item TEXT NOT NULL,
    why TEXT NOT NULL,
    kind TEXT NOT NULL,
    pointer TEXT,
    value BLOB, -- sealed
    at INTEGER NOT NULL
) STRICT;
CREATE TABLE staged (
    id TEXT PRIMARY KEY,
    tag TEXT NOT NULL,
    copy BLOB, -- sealed
    latest TEXT
) STRICT;
CREATE TABLE upload (
    id TEXT PRIMARY KEY,
    path TEXT,
    bookmark BLOB,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    sha256 BLOB,
    type TEXT NOT NULL,
    metadata BLOB, -- sealed
    state TEXT NOT NULL,
    sent INTEGER NOT NULL DEFAULT 0,
    attempts INTEGER NOT NULL DEFAULT 0,
    not_before INTEGER NOT NULL DEFAULT 0,
    problem BLOB, -- sealed
    granted INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL,
    part_size INTEGER,
    seal BLOB -- sealed
) STRICT;
CREATE TABLE upload_tags (
    upload TEXT PRIMARY KEY,
    tags BLOB NOT NULL -- sealed
) STRICT;
CREATE TABLE event (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    category TEXT NOT NULL,
    parameters BLOB, -- sealed
    at TEXT NOT NULL,
    batch INTEGER
) STRICT;
CREATE TABLE consent (
    category TEXT PRIMARY KEY,
    granted INTEGER NOT NULL,
    version TEXT,
    is_unsent INTEGER NOT NULL
) STRICT;
