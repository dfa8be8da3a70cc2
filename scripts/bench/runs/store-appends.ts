/** Appends to the store of durable runs in this process, without HTTP: what the store costs beside SQLite. */
import { setImmediate as yieldLoop } from 'node:timers/promises'
import type { RunHead } from '../../../plugins/realtime/api.ts'
import { SqliteRunStore } from '../../../plugins/realtime/runs-sqlite/sqlite-run-store.ts'
import { storePart } from '../../../plugins/realtime/runs-sqlite/store-part.ts'
import { createFileStore } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { CONCURRENCY, event } from './service.ts'

/** The state of a run after an append, as the store keeps it. */
export function headOf(runId: string): RunHead {
  return {
    id: 'aaaaaaaaaaaaaaaaaaaaaa',
    record: {
      run_id: runId,
      thread_id: 't',
      owner: { user_id: 'bench', tenant_id: 'default' },
      status: 'running',
      created_at_ms: 1_700_000_000_000,
      ended_at_ms: null,
      first_seq: 1,
      last_seq: 64,
      epoch: 'aaaaaaaaaaaaaaaaaaaaaa',
    },
    bytes: 10_000,
    gone: false,
  }
}

/** Appends `count` events to {@link CONCURRENCY} runs, each of which waits for its last one. Returns appends per second. */
export async function appendToStore(file: string, count: number): Promise<number> {
  const ledger = createFileStore({ path: file, now: () => performance.now(), parts: [storePart] })
  ledger.open()
  const store = new SqliteRunStore({
    store: ledger,
    orphanAfterMs: 60_000,
    yieldLoop: () => yieldLoop(),
    onError: (error) => {
      throw error
    },
  })
  try {
    await store.load()
    const fromMs = performance.now()
    await Promise.all(Array.from({ length: CONCURRENCY }, (_, run) => appendInTurn(store, headOf(`${run}`), count)))
    return count / ((performance.now() - fromMs) / 1000)
  } finally {
    await ledger.close()
  }
}

async function appendInTurn(store: SqliteRunStore, head: RunHead, count: number): Promise<void> {
  let position = 0
  for (let n = 0; n < count / CONCURRENCY; n++) {
    const appended = await store.append(head, [event], position)
    if (appended.is !== 'written') throw new Error(`an append was ${appended.is}`)
    position = appended.position
  }
}
