-- Times are whole microseconds since 1970-01-01T00:00Z; NULL means unknown or not stated.
-- Every row belongs to a group (g); every index begins with it.
CREATE TABLE meta (key TEXT PRIMARY KEY, value) WITHOUT ROWID;

CREATE TABLE groups (g INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);

CREATE TABLE episodes (
  g INTEGER NOT NULL, id TEXT NOT NULL, version INTEGER NOT NULL,
  thread_id TEXT NOT NULL, sequence INTEGER NOT NULL,
  speaker TEXT, role TEXT NOT NULL, kind TEXT NOT NULL, text TEXT NOT NULL,
  occurred_at INTEGER, occurred_precision TEXT NOT NULL,
  reply_to TEXT, mentions TEXT NOT NULL,
  source_format TEXT NOT NULL, source_file TEXT, source_message TEXT,
  edited_at INTEGER, content_hash TEXT NOT NULL, expires_at INTEGER,
  recorded_from INTEGER NOT NULL, recorded_to INTEGER NOT NULL,
  PRIMARY KEY (g, id, version)
);
CREATE INDEX episodes_thread ON episodes (g, thread_id, sequence, id);

CREATE TABLE entities (
  g INTEGER NOT NULL, id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL,
  aliases TEXT NOT NULL, attributes TEXT NOT NULL,
  recorded_from INTEGER NOT NULL, recorded_to INTEGER NOT NULL,
  merged_into TEXT,
  PRIMARY KEY (g, id, recorded_from)
);
CREATE INDEX entities_merged ON entities (g, merged_into) WHERE merged_into IS NOT NULL;
CREATE TABLE names (
  g INTEGER NOT NULL, key TEXT NOT NULL, entity_id TEXT NOT NULL,
  PRIMARY KEY (g, key, entity_id)
) WITHOUT ROWID;

CREATE TABLE assertions (
  g INTEGER NOT NULL, id TEXT NOT NULL,
  episode_id TEXT, thread_id TEXT NOT NULL, sequence INTEGER NOT NULL, speaker TEXT,
  quote_text TEXT, quote_start INTEGER, quote_end INTEGER,
  subject_id TEXT NOT NULL, relation TEXT NOT NULL, object_id TEXT,
  fact TEXT NOT NULL, kind TEXT NOT NULL,
  start_at INTEGER, start_precision TEXT NOT NULL, end_at INTEGER, end_precision TEXT NOT NULL,
  said INTEGER, authority TEXT NOT NULL, confidence REAL NOT NULL,
  because TEXT NOT NULL, extractor TEXT NOT NULL, expires_at INTEGER,
  recorded_from INTEGER NOT NULL, recorded_to INTEGER NOT NULL,
  -- The triple before merges, in its own direction and wording.
  told_subject TEXT NOT NULL, told_relation TEXT NOT NULL, told_object TEXT,
  PRIMARY KEY (g, id, recorded_from)
);
CREATE INDEX assertions_subject ON assertions (g, subject_id, relation, object_id);
CREATE INDEX assertions_object ON assertions (g, object_id, relation);
CREATE INDEX assertions_open_object ON assertions (g, relation) WHERE object_id IS NULL;
CREATE INDEX assertions_episode ON assertions (g, episode_id);
CREATE INDEX assertions_told_subject ON assertions (g, told_subject);
CREATE INDEX assertions_told_object ON assertions (g, told_object);
CREATE INDEX assertions_told_relation ON assertions (g, told_relation);

CREATE TABLE rulings (
  g INTEGER NOT NULL, id TEXT NOT NULL, kind TEXT NOT NULL, target_ids TEXT NOT NULL,
  reason TEXT NOT NULL, by_whom TEXT NOT NULL, authority TEXT, recorded_from INTEGER NOT NULL,
  PRIMARY KEY (g, id)
);
CREATE TABLE ruling_targets (
  g INTEGER NOT NULL, target_id TEXT NOT NULL, ruling_id TEXT NOT NULL,
  PRIMARY KEY (g, target_id, ruling_id)
) WITHOUT ROWID;

CREATE TABLE edges (
  g INTEGER NOT NULL, id TEXT NOT NULL,
  subject_id TEXT NOT NULL, relation TEXT NOT NULL, object_id TEXT NOT NULL, fact TEXT NOT NULL,
  valid_from INTEGER NOT NULL, valid_to INTEGER NOT NULL,
  start_precision TEXT NOT NULL, end_precision TEXT NOT NULL, contested INTEGER NOT NULL,
  recorded_from INTEGER NOT NULL, recorded_to INTEGER NOT NULL,
  written INTEGER NOT NULL, -- stamp of the write: recorded_from may lie ahead of it
  PRIMARY KEY (g, id)
);
CREATE INDEX edges_subject ON edges (g, subject_id, relation, object_id);
CREATE INDEX edges_object ON edges (g, object_id, relation);
CREATE INDEX edges_relation ON edges (g, relation);

CREATE TABLE evidence (
  g INTEGER NOT NULL, edge_id TEXT NOT NULL, assertion_id TEXT NOT NULL,
  recorded_from INTEGER NOT NULL,
  PRIMARY KEY (g, edge_id, assertion_id)
) WITHOUT ROWID;

CREATE TABLE vectors (
  g INTEGER NOT NULL, text_hash TEXT NOT NULL, vector BLOB NOT NULL,
  PRIMARY KEY (g, text_hash)
);
CREATE TABLE episode_vectors (
  g INTEGER NOT NULL, episode_id TEXT NOT NULL, turn_hash TEXT NOT NULL, window_hash TEXT NOT NULL,
  PRIMARY KEY (g, episode_id)
) WITHOUT ROWID;
CREATE TABLE edge_vectors (
  g INTEGER NOT NULL, edge_id TEXT NOT NULL, text_hash TEXT NOT NULL,
  PRIMARY KEY (g, edge_id)
) WITHOUT ROWID;

CREATE TABLE extractions (
  g INTEGER NOT NULL, episode_id TEXT NOT NULL, state TEXT NOT NULL, extractor TEXT NOT NULL,
  reason TEXT,
  PRIMARY KEY (g, episode_id)
) WITHOUT ROWID;
CREATE INDEX extractions_open ON extractions (g, episode_id) WHERE state = 'pending';

CREATE TABLE relations (
  g INTEGER NOT NULL, name TEXT NOT NULL, definition TEXT NOT NULL,
  recorded_from INTEGER NOT NULL,
  PRIMARY KEY (g, name, recorded_from)
);

-- What each write touched, in order: images of other processes follow it.
CREATE TABLE log (
  seq INTEGER PRIMARY KEY, g INTEGER NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL
);
CREATE INDEX log_group ON log (g, seq);
