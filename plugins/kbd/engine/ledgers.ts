/** The ledgers of open databases, and how long they work on a command. */
import type { StoreDriver } from '../../store/api.ts'
import type { AuditChain, ProjectReads } from '../../sync/api.ts'
import type { Applied } from '../api.ts'
import type { DerivedPlace } from '../capabilities.ts'
import { createKbdLedger, type KbdLedger, type LedgerParts } from './ledger.ts'

/** The parts of ledgers. */
export interface LedgersParts extends Pick<LedgerParts, 'codecs' | 'limits'> {
  /** Called for every command, inside its transaction. */
  readonly onApplied: (applied: Applied, place: DerivedPlace) => void
  readonly monotonic: () => number
  /** Called with the milliseconds that the checks and the fold of a command took. */
  readonly folded?: ((ms: number) => void) | undefined
}

/** Returns the ledger of an open database. Its statements are compiled once. */
export type LedgerOf = (reads: ProjectReads) => KbdLedger

/** Makes the ledgers. */
export function createLedgers({ codecs, limits, onApplied, monotonic, folded }: LedgersParts): LedgerOf {
  const ledgers = new WeakMap<StoreDriver, KbdLedger>()
  const timed =
    <Args extends readonly unknown[], Result>(work: (...args: Args) => Result): ((...args: Args) => Result) =>
    (...args) => {
      const fromMs = monotonic()
      const result = work(...args)
      folded?.(monotonic() - fromMs)
      return result
    }
  return (reads) => {
    const { driver } = reads
    let ledger = ledgers.get(driver)
    if (ledger === undefined) {
      const plain = createKbdLedger({
        driver,
        codecs,
        limits,
        audit: auditOf(reads),
        onApplied: (applied) => onApplied(applied, toPlace(reads)),
      })
      ledger = { ...plain, enter: timed(plain.enter), admit: timed(plain.admit) }
      ledgers.set(driver, ledger)
    }
    return ledger
  }
}

/** The audit chain of a store. Every store with boards has one, because the migration of boards makes its table. */
export function auditOf({ audit }: Pick<ProjectReads, 'audit'>): AuditChain {
  if (audit === undefined) throw new Error('The store has boards and no audit chain.')
  return audit
}

/**
 * The place for data that is derived from boards. A store without grouped commits does work before a commit at once.
 */
export function toPlace({ driver, beforeCommit = (work) => work() }: ProjectReads): DerivedPlace {
  return { driver, beforeCommit }
}
