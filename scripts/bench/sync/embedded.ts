/**
 * Time and written bytes of a push in the embedded engine on `node:sqlite`: on a store with many receipts against one
 * with few. Both engines are the library that ships, and take the same number of pushes in turns.
 */
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Embedded, EmbeddedOptions } from '../../../plugins/sync/store-host/create-embedded.ts'
import { isMet, Rows, show } from '../harness/figures.ts'
import { builtFile, withFolder } from '../harness/processes.ts'
import type { Signer } from './pushes.ts'

/** The numbers of receipts that are compared, and the most that the many may cost, as a multiple of the few. */
const [FEW, MANY, BAR] = [50, 5_000, 1.2]
const ROUNDS = 7
/** Pushes of a round, one after the other. */
const PUSHES = 60
/** Pushes that share a commit while a store is filled. */
const GROUP = 50

interface Store {
  readonly engine: Embedded
  /** Bytes in the log since the last checkpoint, which each measurement begins with. */
  walBytes(): number
  checkpoint(): void
  close(): Promise<void>
}

/** Runs the comparison. Returns false if a bar is missed. */
export function compareEmbedded(signer: Signer): Promise<boolean> {
  return withFolder(async (folder) => {
    const stores = new Map<number, Store>()
    try {
      for (const count of [FEW, MANY]) {
        const store = await openStore(join(folder, `${count}.db`))
        stores.set(count, store)
        for (let done = 0; done < count; done += GROUP)
          await Promise.all(signer.make(GROUP).map(({ body }) => store.engine.sync.submit(new Uint8Array(body))))
        await pushesOn(store, signer)
      }
      const rows = new Rows()
      for (let round = 0; round < ROUNDS; round++)
        for (const [count, store] of stores) {
          const { ms, bytes } = await pushesOn(store, signer)
          show(`embedded, ${count} receipts`, `${ms.toFixed(2)} ms`, `${(bytes / 1_000).toFixed(1)} kB`)
          rows.add(`time ${count}`, ms)
          rows.add(`bytes ${count}`, bytes)
        }
      return ['time', 'bytes']
        .map((what) =>
          isMet(
            `${what} per push, ${MANY} receipts to ${FEW}`,
            rows.ratio(`${what} ${MANY}`, `${what} ${FEW}`),
            BAR,
            'at most',
          ),
        )
        .every(Boolean)
    } finally {
      for (const store of stores.values()) await store.close()
    }
  })
}

async function openStore(path: string): Promise<Store> {
  const { createEmbedded } = (await import(pathToFileURL(builtFile('embedded-native', 'index.mjs')).href)) as {
    createEmbedded(options: EmbeddedOptions): Promise<Embedded>
  }
  const sqlite = new DatabaseSync(path)
  sqlite.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0')
  const engine = await createEmbedded({
    host: {
      identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
      devices: { get: (keyId) => ({ keyId, scopes: ['kbd-control:*'], status: 'active', expiresAtMs: null }) },
      projects: { has: () => true },
      frontier: () => null,
      apply: () => undefined,
      now: () => Date.now(),
      log: () => undefined,
    },
    database: {
      exec: (sql) => sqlite.exec(sql),
      run: (sql, params) => sqlite.prepare(sql).run(...params),
      all: (sql, params) => sqlite.prepare(sql).all(...params),
    },
  })
  return {
    engine,
    walBytes: () => statSync(`${path}-wal`).size,
    checkpoint: () => sqlite.exec('PRAGMA wal_checkpoint(TRUNCATE)'),
    async close() {
      await engine.close()
      sqlite.close()
    },
  }
}

/** Milliseconds and bytes of one push, when pushes come one after the other. */
interface Cost {
  readonly ms: number
  readonly bytes: number
}

async function pushesOn({ engine, walBytes, checkpoint }: Store, signer: Signer): Promise<Cost> {
  const pushes = signer.make(PUSHES)
  checkpoint()
  const startMs = performance.now()
  for (const { body } of pushes) {
    const { status } = await engine.sync.submit(new Uint8Array(body))
    if (status !== 201) throw new Error(`expected 201, got ${status}`)
  }
  return { ms: (performance.now() - startMs) / PUSHES, bytes: walBytes() / PUSHES }
}
