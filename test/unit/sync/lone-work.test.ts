/** A piece of work that is alone in its commit: what it throws undoes it, and whoever comes in between is waited for. */

import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { SqlDriver } from '../../../plugins/sync/engine/store/driver.ts'
import { createGroupedStore } from '../../../plugins/sync/engine/store/group-commit.ts'
import { toOpenStore } from '../../../plugins/sync/engine/store/open-store.ts'
import { isBusy, toDriver } from '../../../plugins/sync/store-sqlite/sqlite-driver.ts'
import { createFolder } from './platforms.ts'

/** A store with a table, whose rolling back `undone` hears of. */
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

test('what it wrote is undone, what was to be done before the commit is done, and the next finds the store as it was', async () => {
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

test('another process that comes in between undoing and the commit is waited for; the refusal stays a refusal', async () => {
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
