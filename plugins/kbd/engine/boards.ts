/** The engine over the store of pushes: one database, one commit, one audit chain. */

import type { Awaitable } from '../../../core/awaitable.ts'
import type { LedgerDriver, Pin, ProjectReads } from '../../sync/api.ts'
import type { LedgerReads, PushAudit, ReceiptStore, ServedPart, SyncShared } from '../../sync/capabilities.ts'
import type { Applied, Standing } from '../api.ts'
import type { Boards, DerivedPlace } from '../capabilities.ts'
import { createKbdEngine } from './engine.ts'
import type { KbdDevice, KbdStore } from './engine-parts.ts'
import { createKbdLedger, type KbdLedger } from './ledger.ts'
import type { EntryCodecs, KbdLimits } from './parts.ts'
import { createCoalesce } from './refusals/coalesce.ts'
import { createRefusals } from './refusals/refusals.ts'

/** Says which devices and projects there are. */
interface Authority {
  /** The device of a key, whatever its status. */
  readonly device: (keyId: string) => Awaitable<KbdDevice | undefined>
  readonly projectExists: (project: string) => Awaitable<boolean>
}

/** What boards are made of here. */
export interface BoardParts {
  readonly store: ReceiptStore
  readonly shared: Omit<SyncShared, 'liveTenant' | ServedPart>
  /** Who knows devices and projects where the store does not: an embedding host. */
  readonly authority?: Authority
  readonly limits: KbdLimits
  readonly clock: { now(): number; monotonic(): number }
  /** Lets other work of the event loop go on. */
  readonly yieldLoop: () => Promise<void>
  /** Equal refusals within this time are one entry of the audit chain; a minute where absent. */
  readonly refusalQuietMs?: number
  /** Hears what a listener throws: no listener may fail a command that is on disk. */
  readonly failed: (error: unknown) => void
  /** Hears how long a command was judged and folded, in milliseconds. */
  readonly folded?: ((ms: number) => void) | undefined
}

/** The boards of a node, but for what only a server needs, and what only its own plugin does with them. */
export interface OwnBoards extends Omit<Boards, 'snapshot'> {
  /** Where a project with commands stands, for the push that pins it. */
  readonly pin: Pin
  /** Records a refused push in the audit chain. */
  readonly refused: PushAudit
  /** Removes texts whose time of grace is over. */
  sweep(): Promise<void>
}

/** Texts that are removed in one transaction. */
const SWEEP = 256

/** Makes the boards of a node. */
export function createBoards({
  store,
  shared,
  authority,
  limits,
  clock,
  yieldLoop,
  failed,
  folded,
  refusalQuietMs,
}: BoardParts): OwnBoards {
  const codecs: EntryCodecs = shared
  const derived: ((applied: Applied, place: DerivedPlace) => void)[] = []
  const arrivals: ((hash: string, place: DerivedPlace) => void)[] = []
  const watchers = new Set<(applied: Applied, standing: Standing) => void>()
  const ledgers = new WeakMap<LedgerDriver, KbdLedger>()
  const timed =
    <Given extends readonly unknown[], Made>(work: (...given: Given) => Made): ((...given: Given) => Made) =>
    (...given) => {
      const fromMs = clock.monotonic()
      const made = work(...given)
      folded?.(clock.monotonic() - fromMs)
      return made
    }
  /** The ledger of an open database: statements are compiled once for each. */
  const ledgerOf = (reads: ProjectReads): KbdLedger => {
    const { driver, audit } = reads
    let ledger = ledgers.get(driver)
    if (ledger === undefined) {
      const onApplied = (applied: Applied): void => {
        for (const listener of derived) listener(applied, toPlace(reads))
      }
      // A store without a chain is none of this build's: the migration that brings boards brings the chain.
      const plain = createKbdLedger({ driver, codecs, limits, audit: audit!, onApplied })
      ledger = { ...plain, enter: timed(plain.enter), admit: timed(plain.admit) }
      ledgers.set(driver, ledger)
    }
    return ledger
  }
  const pin: Pin = (reads, project) => {
    const standing = ledgerOf(reads).standing(project)
    return standing.revision === 0 ? undefined : standing
  }

  const toTransaction = (reads: Pick<LedgerReads, 'driver' | 'audit' | 'device'>) => ({
    ledger: ledgerOf(reads),
    audit: reads.audit!,
    device: (keyId: string) => reads.device(keyId),
  })
  const boards: KbdStore = {
    read: (work) => store.read((reads) => work(ledgerOf(reads))),
    write: (work) =>
      store.write((reads) => {
        const { device, ...transaction } = toTransaction(reads)
        // A host's devices are not in the store, so that they can be asked before and not inside of it.
        return work(authority === undefined ? { ...transaction, device } : transaction)
      }),
  }
  const { device, projectExists }: Authority = authority ?? {
    device: (keyId) => store.read((reads) => reads.device(keyId)),
    projectExists: (project) => store.read((reads) => reads.hasProject(project)),
  }
  const refusals = {
    store: boards,
    projectExists,
    now: clock.now,
    coalesce: createCoalesce(clock.monotonic, refusalQuietMs),
  }
  const tellRefusal = createRefusals(refusals)
  const refused: PushAudit = ({ pushId, ...push }) => tellRefusal({ ...push, subject: pushId })
  const engine = createKbdEngine({
    ...refusals,
    codecs,
    limits,
    device,
    monotonic: clock.monotonic,
    yieldLoop,
    onApplied(applied, standing) {
      for (const listener of watchers) {
        try {
          listener(applied, standing)
        } catch (error) {
          failed(error)
        }
      }
    },
  })

  return {
    pin,
    refused,
    read: (work) => store.read((reads) => work(ledgerOf(reads), reads.driver)),
    exists: async (project) => projectExists(project),
    projects: () => store.read((reads) => shared.projectNames(reads)),
    enter: engine.enter,
    putContent: (hash, bytes, from) =>
      store.write((reads) => {
        const isNew = ledgerOf(reads).content.put(hash, bytes, clock.now(), from)
        if (isNew) for (const listener of arrivals) listener(hash, toPlace(reads))
        return isNew
      }),
    engine: {
      prove: engine.prove,
      admit: engine.admit,
      admitIn: (reads, ...given) => engine.admitIn(toTransaction(reads), ...given),
    },
    watch(listener) {
      const own: typeof listener = (applied, standing) => listener(applied, standing)
      watchers.add(own)
      return () => void watchers.delete(own)
    },
    derive(listener, arrived) {
      derived.push(listener)
      if (arrived !== undefined) arrivals.push(arrived)
    },
    async sweep() {
      while ((await boards.write(({ ledger }) => ledger.content.sweep(clock.now(), SWEEP))) === SWEEP);
    },
  }
}

/** A store that groups nothing does at once what it is asked to do before it commits. */
function toPlace({ driver, beforeCommit = (work) => work() }: ProjectReads): DerivedPlace {
  return { driver, beforeCommit }
}
