/**
 * A unit of work that is alone in its commit: an error undoes it, and another writing process in between is waited for.
 */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SqlDriver } from '../../../plugins/store/api.ts'
import { createGroupedStore } from '../../../plugins/sync/engine/store/group-commit.ts'
import { toOpenStore } from '../../../plugins/sync/engine/store/open-store.ts'
import { isBusy, toDriver } from '../../../plugins/sync/store-sqlite/sqlite-driver.ts'
import { createFolder } from './platforms.ts'

/** A store with a table. `undone` is called after each rollback. */
function openStore(undone: () => void): {
  store: ReturnType<typeof createGroupedStore>
  path: string
  pauses: () => number
} {
  const path = join(createFolder(), 'sync.db')
  const database = new DatabaseSync(path)
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE words (word TEXT)')
  const plain = toDriver(database)
  const driver: SqlDriver = {
    ...plain,
    prepare(sql) {
      const statement = plain.prepare(sql)
      if (sql !== 'ROLLBACK') return statement
      return {
        ...statement,
        run() {
          statement.run()
          undone()
        },
      }
    },
  }
  const open = toOpenStore(driver)
  let pauses = 0
  const store = createGroupedStore({
    open: () => open,
    schedule: (flush) => void setImmediate(flush),
    sharing: {
      isBusy,
      pause: async () => {
        pauses++
        released?.()
      },
    },
    close: async () => driver.close(),
  })
  return { store, path, pauses: () => pauses }
}

let released: (() => void) | undefined

const words = (path: string): unknown[] => {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = database.prepare('SELECT word FROM words ORDER BY word').all()
  database.close()
  return rows.map(({ word }) => word)
}

test('failed work is undone, its beforeCommit callback still runs, and the next work succeeds', async () => {
  const { store, path } = openStore(() => undefined)
  const write = (word: string, fails: boolean): Promise<void> =>
    store.write(({ driver, beforeCommit }) => {
      driver.prepare('INSERT INTO words VALUES (?)').run(word)
      beforeCommit!(() => driver.prepare('INSERT INTO words VALUES (?)').run(`behind ${word}`))
      if (fails) throw new Error(`not ${word}`)
    })
  await write('one', false)
  const refused = await write('two', true).catch((error: unknown) => error)
  assert.is((refused as Error).message, 'not two')
  await write('three', false)
  await store.close()
  assert.equal(words(path), ['behind one', 'behind three', 'behind two', 'one', 'three'])
})

test('another process that writes between rollback and commit is waited for, and the refusal stays a refusal', async () => {
  let other: DatabaseSync | undefined
  const { store, path, pauses } = openStore(() => {
    if (other !== undefined) return
    other = new DatabaseSync(path)
    other.exec(`BEGIN IMMEDIATE; INSERT INTO words VALUES ('of the other')`)
  })
  released = () => {
    other!.exec('COMMIT')
    other!.close()
    released = undefined
  }
  let runs = 0
  const refused = await store
    .write(({ driver }) => {
      runs++
      driver.prepare('INSERT INTO words VALUES (?)').run('mine')
      throw new Error('refused')
    })
    .catch((error: unknown) => error)
  assert.equal([(refused as Error).message, runs, pauses()], ['refused', 2, 1])
  await store.close()
  assert.equal(words(path), ['of the other'])
})

test.run()
