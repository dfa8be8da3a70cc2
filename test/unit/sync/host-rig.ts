/** An embedding host for tests: every callback can be replaced, and its data can be inspected. */
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { EngineLimits } from '../../../plugins/sync/engine/options.ts'
import { createEmbedded as createOnDatabase } from '../../../plugins/sync/store-host/create-embedded.ts'
import type { HostDatabase } from '../../../plugins/sync/store-host/database.ts'
import { createEmbedded, type Embedded } from '../../../plugins/sync/store-sqljs/create-embedded.ts'
import type { EmbeddedHost } from '../../../plugins/sync/store-sqljs/host.ts'
import { registryOf } from '../../support/kernels.ts'
import { createSigner, type Signer, START_MS, signed, sqlWasm } from './platforms.ts'

/** A host with its signer. */
export interface HostRig {
  readonly alice: Signer
  host: EmbeddedHost
  /** The database of the host; the engine uses it in the place of saved bytes. */
  database?: HostDatabase
  limits?: Partial<EngineLimits>
  saved: Uint8Array | null
  saves: number
  loads: number
  /** Every call of `apply`, by push. */
  readonly applied: string[]
  readonly heads: Map<string, string[]>
  start(): Promise<Embedded>
  push(over?: Record<string, unknown>): Uint8Array
}

/** A correct host in memory, except for the members that `over` replaces. */
export function createHostRig(over: (rig: HostRig) => Partial<EmbeddedHost> = () => ({})): HostRig {
  const alice = createSigner()
  const rig: HostRig = {
    alice,
    saved: null,
    saves: 0,
    loads: 0,
    applied: [],
    heads: new Map(),
    host: {
      sqlWasm: new Uint8Array(sqlWasm),
      persistence: {
        load: () => {
          rig.loads++
          return rig.saved
        },
        save: async (bytes) => {
          rig.saved = bytes
          rig.saves++
        },
      },
      identity: () => ({ kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }),
      devices: {
        get: (keyId) => ({ keyId, scopes: ['kbd-control:*'], status: 'active', expiresAtMs: null }),
      },
      projects: { has: () => true },
      frontier: (domain) => ({ heads: rig.heads.get(domain) ?? [] }),
      apply: async (domain, envelope) => {
        rig.applied.push(envelope.pushId)
        rig.heads.set(domain, [envelope.canonicalPayloadHash])
      },
      now: () => START_MS,
      log: () => {},
      timeoutMs: 40,
    },
    start: () => {
      const { host, database, limits = {} } = rig
      return database === undefined
        ? createEmbedded(registryOf([]), { host, limits })
        : createOnDatabase(registryOf([]), { host, limits, database })
    },
    push: (more = {}) => signed(alice, more),
  }
  rig.host = { ...rig.host, ...over(rig) }
  return rig
}

/**
 * The code of a refusal, with the code of its cause if the host is at fault. Returns the status if there was no
 * refusal.
 */
export async function outcomeOf(work: Promise<unknown>): Promise<string> {
  try {
    return String((((await work) ?? {}) as { status?: number }).status)
  } catch (error) {
    if (!isSvcError(error)) throw error
    return isSvcError(error.cause) ? `${error.code} < ${error.cause.code}` : error.code
  }
}

/** Waits `ms` milliseconds. */
export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** A promise that is settled from outside. */
export function deferred(): { readonly promise: Promise<void>; resolve(): void; reject(error: Error): void } {
  let resolve!: () => void
  let reject!: (error: Error) => void
  const promise = new Promise<void>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}

/** A connection of `node:sqlite` as the database of a host. `change` may replace its functions. */
export function databaseOf(
  sqlite: DatabaseSync,
  change: (database: HostDatabase) => Partial<HostDatabase> = () => ({}),
): HostDatabase {
  const statements = new Map<string, StatementSync>()
  const prepared = (sql: string): StatementSync => {
    const statement = statements.get(sql) ?? sqlite.prepare(sql)
    statements.set(sql, statement)
    return statement
  }
  const database: HostDatabase = {
    exec: (sql) => sqlite.exec(sql),
    run: (sql, params) => prepared(sql).run(...params),
    all: (sql, params) => prepared(sql).all(...params),
  }
  return { ...database, ...change(database) }
}

/** The fault of one transaction of a lying database. */
export type Lie =
  | 'good'
  | 'locked'
  | 'throws'
  | 'commit fails'
  | 'commit lands and fails'
  | 'rollback fails'
  | 'bigints'

/** A database in memory whose transactions have faults. `next` gives the fault of the next transaction. */
export function createLyingDatabase(next: () => Lie): {
  readonly database: HostDatabase
  die(): void
  open(): HostDatabase
  /** Ends the fault of the transaction that may still be open. */
  behave(): void
} {
  const sqlite = new DatabaseSync(':memory:')
  let generation = 0
  let lie: Lie = 'good'
  const open = (): HostDatabase => {
    const own = generation
    lie = 'good'
    let writes = 0
    const requireLife = (): void => {
      if (own !== generation) throw new Error('The process is gone.')
    }
    return databaseOf(sqlite, ({ exec, run, all }) => ({
      exec(sql) {
        requireLife()
        exec(sql)
      },
      run(sql, params) {
        requireLife()
        if (sql === 'BEGIN IMMEDIATE') {
          lie = next()
          writes = 0
          if (lie === 'locked') throw new Error('database is locked')
        }
        if (/^(?:INSERT|UPDATE)/.test(sql) && ++writes === 2 && (lie === 'throws' || lie === 'rollback fails'))
          throw new Error('disk I/O error')
        if (sql === 'COMMIT' && lie === 'commit fails') throw new Error('database or disk is full')
        if (sql === 'ROLLBACK' && lie === 'rollback fails') {
          lie = 'good'
          throw new Error('disk I/O error')
        }
        run(sql, params)
        if (sql === 'COMMIT' && lie === 'commit lands and fails') throw new Error('disk I/O error')
      },
      all(sql, params) {
        requireLife()
        const rows = all(sql, params) as Record<string, unknown>[]
        if (lie !== 'bigints') return rows
        return rows.map((row) =>
          Object.values(row).map((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value)),
        )
      },
    }))
  }
  return {
    database: open(),
    open,
    behave: () => void (lie = 'good'),
    die() {
      generation++
      // As at the next start: the journal of the transaction that was open is rolled back.
      if (sqlite.isTransaction) sqlite.exec('ROLLBACK')
    },
  }
}
