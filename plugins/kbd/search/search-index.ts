/**
 * The words of boards in an index of SQLite (FTS5), which is written in the transactions of commands. The index is
 * derived from boards. Missing parts are made when the index is opened.
 */
import type { StoreDriver } from '../../store/api.ts'
import type { BeforeCommit } from '../../sync/api.ts'
import type { Applied, Board, Card, Column, Comment } from '../api.ts'
import type { Codecs } from '../engine/codecs.ts'
import { createIndexStatements, type IndexStatements, type Thing } from './statements.ts'
import { Words } from './words.ts'

/** The writing side, called inside transactions. */
export interface SearchIndex {
  /** Makes the tables, and indexes everything that is missing, except texts. */
  open(): void
  /** Indexes the changes of a command. */
  applied(applied: Applied, beforeCommit?: BeforeCommit): void
  /** Indexes a text that has arrived, for some of the things that name the text. Returns whether others may be left. */
  arrived(hash: string): boolean
  /** Indexes some of the texts that are here and not in the index yet. Returns whether there may be more. */
  fill(): boolean
}

/** Most rows that one statement reads. */
const PAGE = 256
/** Most texts that one transaction indexes. */
const TEXTS = 4

/** Makes the index of a database that has the tables of boards. */
export function createSearchIndex(driver: StoreDriver, { fromBase64 }: Pick<Codecs, 'fromBase64'>): SearchIndex {
  const statements = createIndexStatements(driver)
  const words = new Words(statements, fromBase64)
  const flush = (): void => words.flush()

  return {
    open() {
      driver.exec(SEARCH_SCHEMA)
      // The setting is written only once, because writing it again makes every start wait for the disk.
      if (!statements.isSecureDelete()) statements.setSecureDelete()
      for (const [p, revision] of statements.behind()) {
        catchUp(statements, words, p)
        statements.setRevision(p, revision)
      }
    },
    applied({ project, revision, changes }, beforeCommit = (work) => work()) {
      const p = statements.numberOf(project)
      let hasText = false
      for (const { map, id, json } of changes)
        if (json !== null && putThing(statements, words, p, toThing(map, id, json))) hasText = true
      // After all things are written, because other things of this command may have the redacted text.
      for (const { map, id, json } of changes)
        if (map === 'comments' && json !== null && (JSON.parse(json) as Comment).redacted)
          if (hideTexts(statements, words, p, id)) hasText = true
      statements.setRevision(p, revision)
      // Titles of many commands are written together. Indexing a text is expensive, and is part of its own command.
      if (hasText) flush()
      else beforeCommit(flush)
    },
    arrived: (hash) => fillThings(statements, words, statements.unfilledWith(hash, TEXTS)),
    fill: () => fillThings(statements, words, statements.unfilled(TEXTS)),
  }
}

/** Indexes all things of a project. Things whose words have not changed are not written. */
function catchUp(statements: IndexStatements, words: Words, p: number): void {
  for (let after = 0; ; ) {
    const page = statements.viewsAfter(p, after, PAGE)
    for (const [rowid, map, id, json] of page) {
      putThing(statements, words, p, toThing(map, id, json))
      after = rowid
    }
    words.flush()
    if (page.length < PAGE) return
  }
}

/** Notes a thing if its words change. Returns whether they include or included those of a text. */
function putThing(statements: IndexStatements, words: Words, p: number, thing: ReturnType<typeof toThing>): boolean {
  if (thing === undefined) return false
  const { kind, id, title, hash } = thing
  const oldRow = statements.thing(p, kind, id)
  // A card that is moved keeps its words.
  if (oldRow?.title === title && oldRow.hash === hash) return false
  const isHere = words.textOf(p, hash) !== undefined
  words.note(statements.putThing(p, thing, hash === null || isHere))
  return isHere || (oldRow !== undefined && oldRow.hash !== null && oldRow.isFilled)
}

/**
 * Removes the words of the texts of a redacted comment from all things that have the same texts, in any project.
 * Returns whether there were any.
 */
function hideTexts(statements: IndexStatements, words: Words, p: number, commentId: string): boolean {
  const numbers = statements.unfillRedacted(p, `comment/${commentId}`)
  for (const n of numbers) words.note(n)
  return numbers.length > 0
}

/** Indexes things whose text is here. Returns whether there may be more of them. */
function fillThings(statements: IndexStatements, words: Words, things: readonly number[]): boolean {
  for (const n of things) {
    statements.setFilled(n)
    words.note(n)
  }
  words.flush()
  return things.length === TEXTS
}

/** The thing of a change; undefined for maps that are not searched. The labels of a card are part of its title. */
function toThing(map: string, id: string, json: string): Thing | undefined {
  switch (map) {
    case 'boards':
      return { kind: 'board', id, title: (JSON.parse(json) as Board).title ?? '', hash: null }
    case 'columns':
      return { kind: 'column', id, title: (JSON.parse(json) as Column).title ?? '', hash: null }
    case 'cards': {
      const { title, labels, bodyHash } = JSON.parse(json) as Card
      return { kind: 'card', id, title: [title ?? '', ...labels].join('\n'), hash: bodyHash }
    }
    case 'comments':
      return { kind: 'comment', id, title: '', hash: (JSON.parse(json) as Comment).bodyHash }
    default:
      return undefined
  }
}

/** The tables of the search index. Their names do not use the prefix of tables that are derived from commands alone. */
const SEARCH_SCHEMA = `
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
