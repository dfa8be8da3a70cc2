/**
 * Time and written bytes of a push in the embedded engine on `node:sqlite`: on a store with many receipts against one with few. Both engines are
 * the library that ships, and take the same number of pushes in turns.
 */
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import type { Embedded, EmbeddedOptions } from '../../../plugins/sync/store-host/create-embedded.ts'
import { distDir } from '../../build/paths.ts'
import { isMet } from '../bars.ts'
import { median } from '../statistics.ts'
import type { Signer } from './pushes.ts'

/** The numbers of receipts that are compared, and the most that the many may cost, as a multiple of the few. */
const [FEW, MANY, BAR] = [50, 5_000, 1.2]
const ROUNDS = 7
/** Pushes of a round, one after the other. */
const PUSHES = 60
/** Pushes that share a commit while a store is filled. */
const GROUP = 50

const library = join(distDir('embedded-native'), 'index.mjs')

interface Store {
  readonly engine: Embedded
  /** Bytes in the log since the last checkpoint, which each measurement begins with. */
  walBytes(): number
  checkpoint(): void
  close(): Promise<void>
}

/** Runs the comparison. Returns false if a bar is missed. */
export async function benchEmbedded(signer: Signer): Promise<boolean> {
  if (!existsSync(library)) throw new Error('Build first: make build PROFILE=embedded-native')
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const stores = [FEW, MANY].map(async (count) => {
    const store = await openStore(join(folder, `${count}.db`))
    for (let done = 0; done < count; done += GROUP)
      await Promise.all(signer.make(GROUP).map(({ body }) => store.engine.sync.submit(new Uint8Array(body))))
    return store
  })
  try {
    const [few, many] = (await Promise.all(stores)) as [Store, Store]
    await pushesOn(few, signer)
    await pushesOn(many, signer)
    const ratios: { readonly time: number; readonly bytes: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const onFew = await pushesOn(few, signer)
      const onMany = await pushesOn(many, signer)
      show(`embedded, ${FEW} receipts`, onFew)
      show(`embedded, ${MANY} receipts`, onMany)
      ratios.push({ time: onMany.ms / onFew.ms, bytes: onMany.bytes / onFew.bytes })
    }
    const met = (what: 'time' | 'bytes', title: string): boolean =>
      isMet(`${title}, ${MANY} receipts to ${FEW}`, median(ratios.map((one) => one[what])), BAR, 'at most')
    return [met('time', 'time per push'), met('bytes', 'bytes per push')].every(Boolean)
  } finally {
    for (const store of stores) await store.then(({ close }) => close())
    rmSync(folder, { recursive: true, force: true })
  }
}

async function openStore(path: string): Promise<Store> {
  const { createEmbedded } = (await import(pathToFileURL(library).href)) as {
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

function show(title: string, { ms, bytes }: Cost): void {
  console.log(`${title.padEnd(34)} ${ms.toFixed(2).padStart(7)} ms   ${(bytes / 1_000).toFixed(1)} kB`)
}
