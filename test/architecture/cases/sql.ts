/**
 * The SQL of a feature is in its statements.ts, with the types of its rows, so that a change of the schema affects one
 * file.
 */
import { basename } from 'node:path'
import { suite, type Test } from 'uvu'
import * as assert from 'uvu/assert'
import { textsOf } from '../sources.ts'

export const test: Test = suite('sql')

const SQL = /['"`(]\s*(?:SELECT|INSERT INTO|INSERT OR|UPDATE|DELETE FROM) /

/** Whether a file may contain SQL: the statements of a feature, and its migrations, which are data. */
function mayHaveSql(file: string): boolean {
  return /^(?:statements|migrations|schema)\.ts$/.test(basename(file)) || file.includes('/migrations/')
}

/** The files that contain SQL but must not. */
function misplaced(texts: ReadonlyMap<string, string>): string[] {
  return [...texts].filter(([file, text]) => SQL.test(text) && !mayHaveSql(file)).map(([file]) => file)
}

test('no plugin has SQL outside of statements and migrations', () => {
  const texts = textsOf('plugins/**/*.ts')
  assert.ok(texts.size > 250)
  assert.equal(misplaced(texts), [])
})

test('SQL statements are found in code, but not in comments', () => {
  const texts = {
    'plugins/a/b/store.ts': "rows('SELECT a FROM b')",
    'plugins/a/b/c.ts': 'run(`DELETE FROM b WHERE a = ?`)',
    'plugins/a/b/d.ts': "run('INSERT OR REPLACE INTO b VALUES (?)')",
    'plugins/a/b/prose.ts': '/** SELECT is a word. DELETE from here. */',
    'plugins/a/b/statements.ts': "rows('UPDATE b SET a = 1')",
  }
  assert.equal(misplaced(new Map(Object.entries(texts))), [
    'plugins/a/b/store.ts',
    'plugins/a/b/c.ts',
    'plugins/a/b/d.ts',
  ])
})
