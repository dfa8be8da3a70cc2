/**
 * The medium of an embedding host: the whole store as bytes, which the real store for such hosts replaces at each save.
 */

import type { Database } from 'sql.js'
import type { SqlRow, SqlStatement, SqlValue } from '../../plugins/store/api.ts'
import { nativeSha256 } from '../../plugins/sync/store-sqlite/native-sha256.ts'
import { openBytesStore, toDriver } from '../../plugins/sync/store-sqljs/bytes-store.ts'
import { storeParts } from '../support/store-parts.ts'
import { type Disk, type DiskParts, sqlJs } from './disk.ts'

/** Creates a medium that holds bytes. A save that is interrupted by a crash does not change the bytes. */
export function createBytesDisk(parts: DiskParts, image: Uint8Array): Disk {
  let saved = image
  let generation = 0
  let saving = 0
  let database: Database | undefined
  let prepared = new Map<string, SqlStatement>()
  const forget = (): void => {
    database?.close()
    database = undefined
    prepared = new Map()
  }

  return {
    get held() {
      return saving > 0
    },
    rows<Row extends SqlRow>(text: string, ...given: readonly SqlValue[]) {
      database ??= new (sqlJs().Database)(saved)
      let statement = prepared.get(text)
      if (statement === undefined) prepared.set(text, (statement = toDriver(database).prepare(text)))
      return statement.all<Row>(...given)
    },
    crash() {
      generation++
      if (saving > 0) parts.lost('crash')
      saving = 0
    },
    close: forget,
    open() {
      const ownGeneration = ++generation
      return openBytesStore(
        {
          load: async () => saved.slice(),
          async save(bytes) {
            saving++
            const syncMs = parts.syncMs()
            await parts.pause(syncMs ?? 1)
            if (generation !== ownGeneration) return new Promise<never>(() => undefined)
            saving--
            if (syncMs === undefined) {
              parts.lost('failure')
              throw new Error('disk full')
            }
            saved = bytes
            forget()
            parts.synced()
          },
        },
        sqlJs().wasm,
        nativeSha256,
        storeParts,
      )
    },
  }
}
