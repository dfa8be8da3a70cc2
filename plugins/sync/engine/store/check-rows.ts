/** Compares rows with their sums, so that damage is found before a request reads the row. */

import type { LedgerReads } from './api.ts'
import { projectNames, receiptNos } from './statements.ts'

/** The result for one part of the store. */
export interface RowReport {
  /** The number to continue after; undefined at the end. */
  readonly next: number | undefined
  /** Receipts that were checked. */
  readonly receipts: number
  /** What cannot be read, such as `receipt 12` or `devices`. */
  readonly damaged: readonly string[]
}

/** Checks `count` receipts after a number, with their events. With `after` -1 it checks devices and projects first. */
export function checkRows(ledger: LedgerReads, after: number, count: number): RowReport {
  const damaged: string[] = []
  const look = (name: string, read: () => unknown): void => {
    try {
      read()
    } catch {
      damaged.push(name)
    }
  }
  if (after < 0) {
    look('devices', () => ledger.devices())
    look('projects', () => {
      for (const project of projectNames(ledger)) ledger.hasProject(project)
    })
  }
  const nos = receiptNos(ledger, after, count)
  for (const no of nos)
    look(`receipt ${no}`, () => {
      const push = ledger.pushByNo(no)
      if (push === undefined) throw new Error('it was removed')
      ledger.events(push, 0, push.lastSequence)
      // The index of ids must find it too; otherwise the same push would be taken for a new one.
      if (ledger.push(push.pushId)?.no !== no) throw new Error('the index of ids does not find it')
      for (const { endpointId } of ledger.outboxOf(no))
        if (!push.targets.includes(endpointId)) throw new Error('its outbox names an endpoint that is no target')
    })
  return { next: nos.length === count ? nos[count - 1] : undefined, receipts: nos.length, damaged }
}
