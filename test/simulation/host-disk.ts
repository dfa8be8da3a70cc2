/**
 * The medium of a host with its own SQLite: a database of sql.js, on which the real store for such hosts commits. A
 * commit that fails has sometimes taken effect.
 */

import type { SqlRow, SqlStatement, SqlValue } from '../../plugins/store/api.ts'
import { withPrefix } from '../../plugins/sync/embedded/schema.ts'
import type { HostDatabase } from '../../plugins/sync/store-host/database.ts'
import { openHostStore } from '../../plugins/sync/store-host/host-store.ts'
import { nativeSha256 } from '../../plugins/sync/store-sqlite/native-sha256.ts'
import { toDriver } from '../../plugins/sync/store-sqljs/bytes-store.ts'
import { storeParts } from '../support/store-parts.ts'
import { type Disk, type DiskParts, sqlJs } from './disk.ts'

/** Creates a medium with a database. The first store that is opened on it renames the tables of the image. */
export function createHostDisk(parts: DiskParts, image: Uint8Array): Disk {
  const database = new (sqlJs().Database)(image)
  const driver = toDriver(database)
  const prepared = new Map<string, SqlStatement>()
  const statement = (text: string): SqlStatement => {
    const found = prepared.get(text) ?? driver.prepare(text)
    prepared.set(text, found)
    return found
  }
  let judged: ReturnType<typeof withPrefix> | undefined
  let generation = 0
  let failures = 0
  const commit = (): void => {
    const isFailed = parts.syncMs() === undefined
    if (isFailed && ++failures % 2 === 1) {
      parts.lost('failure')
      throw new Error('disk I/O error')
    }
    statement('COMMIT').run()
    parts.synced()
    if (isFailed) throw new Error('disk I/O error')
  }
  const databaseOf = (own: number): HostDatabase => {
    const requireLife = (): void => {
      if (own !== generation) throw new Error('The process is gone.')
    }
    return {
      exec(sql) {
        requireLife()
        driver.exec(sql)
      },
      run(sql, params) {
        requireLife()
        if (sql === 'COMMIT') commit()
        else statement(sql).run(...params)
      },
      all(sql, params) {
        requireLife()
        return statement(sql).all(...params)
      },
    }
  }

  return {
    held: false,
    rows<Row extends SqlRow>(text: string, ...given: readonly SqlValue[]) {
      judged ??= withPrefix({ ...driver, prepare: statement })
      return judged.prepare(text).all<Row>(...given)
    },
    crash() {
      generation++
      try {
        database.run('ROLLBACK')
      } catch {
        // There was no open transaction.
      }
    },
    close: () => database.close(),
    open() {
      const own = ++generation
      judged = undefined
      return openHostStore(
        databaseOf(own),
        { visit: (run) => run(), timers: undefined },
        { sha256: nativeSha256, token: String(own), parts: storeParts },
      )
    },
  }
}
