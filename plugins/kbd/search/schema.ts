/** The tables of the search index. Their names do not use the prefix of tables that are derived from commands alone. */
export const SEARCH_SCHEMA = `
  CREATE VIRTUAL TABLE IF NOT EXISTS search_words USING fts5(title, body, tokenize = 'unicode61');
  CREATE TABLE IF NOT EXISTS search_rows (
    n INTEGER PRIMARY KEY,
    p INTEGER NOT NULL,
    kind TEXT NOT NULL,
    id TEXT NOT NULL,
    title TEXT NOT NULL,
    hash TEXT,
    filled INTEGER NOT NULL,
    UNIQUE (p, kind, id)
  ) STRICT;
  CREATE INDEX IF NOT EXISTS search_rows_waiting ON search_rows (hash) WHERE filled = 0;
  CREATE INDEX IF NOT EXISTS search_rows_filled ON search_rows (hash) WHERE filled = 1 AND hash IS NOT NULL;
  CREATE TABLE IF NOT EXISTS search_projects (p INTEGER PRIMARY KEY, revision INTEGER NOT NULL) STRICT;
`
