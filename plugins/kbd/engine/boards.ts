/** The engine over the store of pushes: one database, one commit, one audit chain. */

import type { Awaitable } from '../../../core/kernel/values.ts'
import type { Pin } from '../../sync/api.ts'
import type { LedgerReads, PushAudit, ReceiptStore, ServedPart, SyncShared } from '../../sync/capabilities.ts'
import type { Boards } from '../capabilities.ts'
import type { EntryCodecs } from './codecs.ts'
import { createKbdEngine } from './engine.ts'
import type { KbdDevice, KbdStore, KbdTransaction } from './engine-parts.ts'
import { auditOf, createLedgers, type LedgerOf, toPlace } from './ledgers.ts'
import type { KbdLimits } from './limits.ts'
import { createListeners } from './listeners.ts'
import { createCoalesce, createRefusals } from './refusals/refusals.ts'

/** The source of devices and projects. */
interface Authority {
  /** The device of a key, whatever its status. */
  readonly device: (keyId: string) => Awaitable<KbdDevice | undefined>
  readonly projectExists: (project: string) => Awaitable<boolean>
}

/** The parts of the boards of a node. */
export interface BoardParts {
  readonly store: ReceiptStore
  readonly shared: Omit<SyncShared, 'liveTenant' | ServedPart>
  /** The embedding host, if devices and projects are not in the store. */
  readonly authority?: Authority
  readonly limits: KbdLimits
  readonly clock: { now(): number; monotonic(): number }
  /** Lets other work of the event loop go on. */
  readonly yieldLoop: () => Promise<void>
  /** Equal refusals within this time are one entry of the audit chain; a minute if absent. */
  readonly refusalQuietMs?: number
  /** Called with the error of a listener: no listener may fail a command that is on disk. */
  readonly failed: (error: unknown) => void
  /** Called with the milliseconds that the checks and the fold of a command took. */
  readonly folded?: ((ms: number) => void) | undefined
}

/** The boards of a node, without the snapshots of a server, and with the functions that only their own plugin calls. */
export interface OwnBoards extends Omit<Boards, 'snapshot'> {
  /** The standing of a project with commands, for the push that pins it. */
  readonly pin: Pin
  /** Records a refused push in the audit chain. */
  readonly refused: PushAudit
  /** Removes texts whose grace time is over. */
  sweep(): Promise<void>
}

/** Most texts that one transaction removes. */
const SWEEP = 256

/** Makes the boards of a node. */
export function createBoards(parts: BoardParts): OwnBoards {
  const { store, shared, limits, clock } = parts
  const codecs: EntryCodecs = shared
  const listeners = createListeners(parts.failed)
  const ledgerOf = createLedgers({
    codecs,
    limits,
    onApplied: listeners.applying,
    monotonic: clock.monotonic,
    folded: parts.folded,
  })
  const boards = createStore(store, ledgerOf, parts.authority !== undefined)
  const { device, projectExists }: Authority = parts.authority ?? {
    device: (keyId) => store.read((reads) => reads.device(keyId)),
    projectExists: (project) => store.read((reads) => reads.hasProject(project)),
  }
  const refusals = {
    store: boards,
    projectExists,
    now: clock.now,
    coalesce: createCoalesce(clock.monotonic, parts.refusalQuietMs),
  }
  const recordRefusal = createRefusals(refusals)
  const engine = createKbdEngine({
    ...refusals,
    codecs,
    limits,
    device,
    monotonic: clock.monotonic,
    yieldLoop: parts.yieldLoop,
    onApplied: listeners.applied,
  })

  return {
    pin(reads, project) {
      const standing = ledgerOf(reads).standing(project)
      return standing.revision === 0 ? undefined : standing
    },
    refused: ({ pushId, ...push }) => recordRefusal({ ...push, subject: pushId }),
    read: (work) => store.read((reads) => work(ledgerOf(reads), reads.driver)),
    exists: async (project) => projectExists(project),
    projects: () => store.read((reads) => shared.projectNames(reads)),
    enter: engine.enter,
    putContent: (hash, bytes, from) =>
      store.write((reads) => {
        const isNew = ledgerOf(reads).content.put(hash, bytes, clock.now(), from)
        if (isNew) listeners.arrived(hash, toPlace(reads))
        return isNew
      }),
    engine: {
      prove: engine.prove,
      admit: engine.admit,
      admitIn: (reads, ...args) => engine.admitIn(toTransaction(reads, ledgerOf), ...args),
    },
    watch: listeners.watch,
    derive: listeners.derive,
    async sweep() {
      while ((await boards.write(({ ledger }) => ledger.content.sweep(clock.now(), SWEEP))) === SWEEP);
    },
  }
}

/**
 * The store as the engine uses it. `isHosted`: devices are not in the store, and are asked before a transaction only.
 */
function createStore(store: ReceiptStore, ledgerOf: LedgerOf, isHosted: boolean): KbdStore {
  return {
    read: (work) => store.read((reads) => work(ledgerOf(reads))),
    write: (work) =>
      store.write((reads) => {
        const { device, ...transaction } = toTransaction(reads, ledgerOf)
        return work(isHosted ? transaction : { ...transaction, device })
      }),
  }
}

function toTransaction(
  reads: Pick<LedgerReads, 'driver' | 'audit' | 'device'>,
  ledgerOf: LedgerOf,
): Required<KbdTransaction> {
  return { ledger: ledgerOf(reads), audit: auditOf(reads), device: (keyId) => reads.device(keyId) }
}
