/**
 * The lower bound for processing commands: one signature check per command, and the rows that it writes, without any
 * other work.
 */

import { DatabaseSync } from 'node:sqlite'
import { createSearchIndex, type SearchIndex } from '../../../plugins/kbd/search/search-index.ts'
import type { SqlValue, StoreDriver } from '../../../plugins/store/api.ts'
import { codecs, type Device, isSignedBy, openBoard, type SignedCommand } from './board.ts'

interface Write {
  readonly sql: string
  readonly values: readonly SqlValue[]
}

/** Records the writes of each command, by running a ledger with a search index. */
function writesOf(commands: readonly SignedCommand[], before: readonly SignedCommand[]): readonly Write[][] {
  let writes: Write[] = []
  const watch = (driver: StoreDriver): StoreDriver => ({
    ...driver,
    prepare(sql) {
      const statement = driver.prepare(sql)
      if (!/^\s*(?:INSERT|UPDATE|DELETE)/.test(sql)) return statement
      const recording = <Result>(work: (...values: readonly SqlValue[]) => Result) => {
        return (...values: readonly SqlValue[]): Result => {
          writes.push({ sql, values })
          return work(...values)
        }
      }
      return {
        run: recording(statement.run),
        get: recording(statement.get) as never,
        all: recording(statement.all) as never,
      }
    },
  })
  let index: SearchIndex | undefined
  const board = openBoard(':memory:', watch, (applied) => index?.applied(applied))
  index = createSearchIndex(board.driver, codecs)
  index.open()
  board.add(before)
  const writesByCommand = commands.map((command) => {
    writes = []
    board.add([command])
    return writes
  })
  board.close()
  return writesByCommand
}

/**
 * Verifies each command and writes its rows into a new file, 64 commands per synced commit. Returns commands per
 * second.
 */
export function measureBound(
  file: string,
  device: Device,
  commands: readonly SignedCommand[],
  before: readonly SignedCommand[],
): number {
  const writes = writesOf(commands, before)
  const board = openBoard(file)
  const index = createSearchIndex(board.driver, codecs)
  index.open()
  board.add(before)
  board.close()
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
  const prepared = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const startMs = performance.now()
  for (let i = 0; i < commands.length; i += 64) {
    database.exec('BEGIN IMMEDIATE')
    for (let n = i; n < Math.min(i + 64, commands.length); n++) {
      if (!isSignedBy(device, commands[n]!)) throw new Error('not valid')
      for (const { sql, values } of writes[n]!) {
        let statement = prepared.get(sql)
        if (statement === undefined) prepared.set(sql, (statement = database.prepare(sql)))
        statement.run(...values)
      }
    }
    database.exec('COMMIT')
  }
  const perSecond = commands.length / ((performance.now() - startMs) / 1_000)
  database.close()
  return perSecond
}
