/** Compares rows with their sums: what a read would refuse is found before somebody asks for it. */

import type { LedgerReads } from './api.ts'
import { projectNames, receiptNos } from './walks.ts'

/** What was found in a part of the store. */
export interface RowReport {
  /** Where to go on; undefined at the end. */
  readonly next: number | undefined
  /** How many receipts were looked at. */
  readonly receipts: number
  /** What cannot be read, such as `receipt 12` or `devices`. */
  readonly damaged: readonly string[]
}

/** Looks at `count` receipts with their events; before the first of them (`after` -1) at devices and projects. */
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
      const push = ledger.pushByNo(no)!
      ledger.events(push, 0, push.lastSequence)
      // Found by its id as well, or the same push would be taken for a new one.
      if (ledger.push(push.pushId)?.no !== no) throw new Error('it cannot be found')
      for (const { endpointId } of ledger.outboxOf(no))
        if (!push.targets.includes(endpointId)) throw new Error('it waits for a stranger')
    })
  return { next: nos.length === count ? nos[count - 1] : undefined, receipts: nos.length, damaged }
}
