/** Boards on both databases, with a clock, devices and signatures that the test controls. */
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import initSqlJs, { type Database } from 'sql.js'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { Applied, Command, CommandEnvelope } from '../../../plugins/kbd/api.ts'
import { createAuditChain } from '../../../plugins/kbd/engine/audit/audit-chain.ts'
import type { Codecs, EntryCodecs } from '../../../plugins/kbd/engine/codecs.ts'
import { createKbdEngine, type KbdEngine } from '../../../plugins/kbd/engine/engine.ts'
import type { KbdDevice, KbdStore } from '../../../plugins/kbd/engine/engine-parts.ts'
import { createKbdLedger, type KbdLedger, type ProvenCommand } from '../../../plugins/kbd/engine/ledger.ts'
import { defaultLimits, type KbdLimits } from '../../../plugins/kbd/engine/limits.ts'
import { BOARD_SCHEMA } from '../../../plugins/kbd/engine/migrations.ts'
import { createDraft, MAPS } from '../../../plugins/kbd/engine/reads/draft.ts'
import type { Snapshot } from '../../../plugins/kbd/engine/reads/snapshots.ts'
import { createCoalesce } from '../../../plugins/kbd/engine/refusals/refusals.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { fromBase64, toBase64, toHex } from '../../../plugins/protocol/codecs.ts'
import { fromKeyId } from '../../../plugins/protocol/keys.ts'
import type { SqlStatement, StoreDriver } from '../../../plugins/store/api.ts'
import type { AuditChain } from '../../../plugins/sync/api.ts'
import { withPrefix } from '../../../plugins/sync/embedded/schema.ts'
import { admitJson } from '../../../plugins/sync/engine/admission/json-admission.ts'
import { toHostDriver } from '../../../plugins/sync/store-host/database.ts'
import { databaseOf } from '../sync/host-rig.ts'

/** 2026-11-01T00:00:00Z. */
export const START_MS = 1_793_491_200_000

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

export const codecs: Codecs = { sha256, canonicalText, toBase64, fromBase64 }

/** A cheap fake signature that any node can verify: the hash of key and message, twice. */
function fakeSignature(keyId: string, message: Uint8Array): Uint8Array {
  const half = createHash('sha256').update(keyId).update(message).digest()
  return new Uint8Array(Buffer.concat([half, half]))
}

/** Codecs with fake signatures. */
export const fakeCodecs: EntryCodecs = {
  ...codecs,
  admitJson,
  fromKeyId,
  isAdmissibleKey: () => true,
  verify: (signature, message, publicKey) =>
    Buffer.from(signature).equals(Buffer.from(fakeSignature(`ed25519:${toHex(publicKey)}`, message))),
}

/** An open database that can be closed. */
export interface OpenDriver extends StoreDriver {
  close(): void
}

/** Drivers by name: that of the server, and those of embedded hosts. */
export const drivers: Readonly<Record<string, () => OpenDriver>> = {
  'node:sqlite': () => {
    const database = new (process.getBuiltinModule('node:sqlite').DatabaseSync)(':memory:')
    return {
      exec: (sql) => database.exec(sql),
      close: () => database.close(),
      prepare(sql) {
        const statement = database.prepare(sql)
        statement.setReturnArrays(true)
        return {
          run: (...parameters) => void statement.run(...parameters),
          get: (...parameters) => statement.get(...parameters) as never,
          all: (...parameters) => statement.all(...parameters) as never,
        }
      },
    }
  },
  'sql.js': () => toSqlJsDriver(new sqlJs.Database()),
  'a database of the host': () => {
    const database = new (process.getBuiltinModule('node:sqlite').DatabaseSync)(':memory:')
    const driver = withPrefix(toHostDriver(databaseOf(database), { visit: (run) => run() }))
    const prepared = new Map<string, SqlStatement>()
    return {
      ...driver,
      prepare(sql) {
        const found = prepared.get(sql) ?? driver.prepare(sql)
        prepared.set(sql, found)
        return found
      },
      close: () => database.close(),
    }
  },
}

const require = createRequire(import.meta.url)
const sqlJs = await initSqlJs({
  wasmBinary: readFileSync(require.resolve('sql.js/dist/sql-wasm.wasm')).buffer as ArrayBuffer,
})

function toSqlJsDriver(database: Database): OpenDriver {
  return {
    exec: (sql) => void database.exec(sql),
    close: () => database.close(),
    prepare(sql): SqlStatement {
      const statement = database.prepare(sql)
      const rows = (parameters: readonly (string | number | null)[]): never[] => {
        const found: never[] = []
        try {
          statement.bind([...parameters])
          while (statement.step()) found.push(statement.get() as never)
        } finally {
          statement.reset()
        }
        return found
      }
      return {
        run: (...parameters) => void rows(parameters),
        get: (...parameters) => rows(parameters)[0],
        all: (...parameters) => rows(parameters),
      }
    },
  }
}

/** A node with a database, a ledger, an audit chain and a clock. */
export interface TestNode {
  readonly driver: OpenDriver
  readonly ledger: KbdLedger
  readonly audit: AuditChain
  readonly applied: Applied[]
  readonly clock: { nowMs: number }
}

export function openNode(open: () => OpenDriver, limits: Partial<KbdLimits> = {}): TestNode {
  const driver = open()
  driver.exec(BOARD_SCHEMA)
  return nodeOn(driver, createAuditChain({ driver, ...codecs }), limits)
}

/** A fast node for many commands: its transactions cannot be rolled back, and it has no audit chain. */
export function openQuickNode(open: () => OpenDriver): TestNode {
  const driver = open()
  driver.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${BOARD_SCHEMA}`)
  const chain = createAuditChain({ driver, ...codecs })
  return nodeOn(driver, { ...chain, append: (fact) => ({ ...fact, seq: 0, hash: '' }) }, {})
}

function nodeOn(driver: OpenDriver, audit: AuditChain, limits: Partial<KbdLimits>): TestNode {
  const applied: Applied[] = []
  const ledger = createKbdLedger({
    driver,
    codecs,
    limits: { ...defaultLimits, ...limits },
    audit,
    onApplied: (one) => void applied.push(one),
  })
  return { driver, ledger, audit, applied, clock: { nowMs: START_MS } }
}

/** A project as a server sends it, read in one step. Asserts that its text equals that of the ledger. */
export function snapshotOf(ledger: KbdLedger, project: string): Snapshot {
  const draft = createDraft()
  for (const map of MAPS) draft.take(map, ledger.viewPage(project, map, '', 1_000_000))
  const [standing, root] = [ledger.standing(project), ledger.root(project)]
  const { revision, frontier, headCount } = standing
  const finishing = draft.finish({ project, root, revision, frontier, headCount }, ledger.boardOrder(project))
  while (finishing.next().done !== true);
  const { bytes, places } = draft.finished()
  assert.is(new TextDecoder().decode(bytes), ledger.snapshotText(project))
  return { standing, root, bytes, places }
}

/** The key id of the device with a number. */
export function deviceId(n: number): string {
  return `ed25519:${createHash('sha256').update(`device ${n}`).digest('hex')}`
}

/** The members of a command apart from its content. */
export interface Draft {
  readonly device?: number
  readonly parents?: readonly string[]
  readonly concurrency?: 'strict' | 'merge'
  readonly issuedAtMs?: number
  readonly project?: string
  readonly commandId?: string
}

/** A signed envelope. */
export function envelopeOf(command: Command, draft: Draft): CommandEnvelope {
  const signed = {
    schemaVersion: '2' as const,
    commandId: draft.commandId ?? randomUUID(),
    domain: `kbd-control:${draft.project ?? 'demo'}`,
    expectedFrontier: { heads: [...(draft.parents ?? [])].sort() },
    concurrency: draft.concurrency ?? 'merge',
    command,
    issuedAtMs: draft.issuedAtMs ?? START_MS,
    signerKeyId: deviceId(draft.device ?? 1),
  }
  const message = new TextEncoder().encode(canonicalText(signed))
  return { ...signed, signature: toBase64(fakeSignature(signed.signerKeyId, message)) }
}

/** A verified command, as the ledger expects it. */
export function proven(command: Command, draft: Draft): ProvenCommand {
  const envelope = envelopeOf(command, draft)
  const { signature: _, ...signed } = envelope
  const id = sha256(new TextEncoder().encode(canonicalText(signed)))
  return { id, project: draft.project ?? 'demo', envelope, text: canonicalText(envelope) }
}

/** The code of a refused call, with the member at fault if there is one. `taken` if the call is not refused. */
export function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (!isSvcError(error)) throw error
    const member = error.details?.['member']
    return member === undefined ? error.code : `${error.code} ${String(member)}`
  }
  return 'taken'
}

/** A number as a UUID. */
export function uuidOf(n: number): string {
  return `00000000-0000-4000-8000-${n.toString(16).padStart(12, '0')}`
}

/** The engine on a node, with transactions like those of the store. */
export function openEngine(
  node: TestNode,
  devices: ReadonlyMap<string, KbdDevice>,
  over: {
    readonly limits?: Partial<KbdLimits>
    readonly codecs?: EntryCodecs
    readonly projects?: readonly string[]
    readonly monotonic?: () => number
    readonly yieldLoop?: () => Promise<void>
    /** What a transaction waits for: all that wait for the same are one commit. */
    readonly commit?: () => Promise<void>
    readonly onApplied?: (applied: Applied) => void
  } = {},
): KbdEngine {
  const { driver, ledger, audit, clock } = node
  const store: KbdStore = {
    read: async (work) => work(ledger),
    async write(work) {
      await over.commit?.()
      driver.exec('BEGIN')
      try {
        const value = work({ ledger, audit, device: (keyId) => devices.get(keyId) })
        driver.exec('COMMIT')
        return value
      } catch (error) {
        driver.exec('ROLLBACK')
        throw error
      }
    },
  }
  return createKbdEngine({
    store,
    codecs: over.codecs ?? fakeCodecs,
    limits: { ...defaultLimits, ...over.limits },
    device: (keyId) => devices.get(keyId),
    projectExists: (project) => (over.projects ?? ['demo']).includes(project),
    now: () => clock.nowMs,
    monotonic: over.monotonic ?? (() => performance.now()),
    yieldLoop: over.yieldLoop ?? (async () => undefined),
    coalesce: createCoalesce(() => clock.nowMs),
    onApplied: over.onApplied,
  })
}
