/** A full disk says so to the callers of the runtime surface. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { storageFull } from '../../../core/kernel/storage-full.ts'
import type { RunHead } from '../../../plugins/realtime/runs/shared/api.ts'
import { tryAgain } from '../../../plugins/realtime/runs/shared/errors.ts'
import { SqliteRunStore } from '../../../plugins/realtime/runs-sqlite/sqlite-run-store.ts'
import { toUnavailable } from '../../../plugins/sync/engine/store/open-store.ts'
import { explainSqlite } from '../../../plugins/sync/store-sqlite/sqlite-driver.ts'

/** The error of the store for an error code of SQLite. */
const storeError = (errcode: number): Error => toUnavailable({ errcode }, explainSqlite)

test('an append that finds the disk full is overloaded with the reason, and any other failure has none', () => {
  const full = tryAgain(storeError(13))
  assert.is(full.code, 'overloaded')
  assert.is(full.details?.['reason'], 'storage_full')
  assert.match(full.message, /disk of the service is full/)
  const damaged = tryAgain(storeError(11))
  assert.is(damaged.details, undefined)
  assert.match(damaged.message, /at its limit/)
  assert.equal(storageFull(undefined), {})
})

test('the store of runs hands the error of the disk to the append', async () => {
  const error = storeError(13)
  const runs = new SqliteRunStore({
    store: { read: async () => Promise.reject(error), write: async () => Promise.reject(error) },
    orphanAfterMs: 1,
    now: () => 0,
    yieldLoop: async () => {},
    onError: () => {},
  })
  const record = { run_id: 'r', owner: { user_id: 'ada', tenant_id: 'acme' } } as RunHead['record']
  const done = await runs.append({ id: 'x', record, bytes: 0, gone: false }, [], 0)
  assert.equal(done, { is: 'refused', cause: error })
})

test.run()
