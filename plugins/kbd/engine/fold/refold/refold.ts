/** Derives again what a migration has removed, because the rules of the fold have changed since it was derived. */

import type { StoreDriver } from '../../../../store/api.ts'
import type { CommandEnvelope } from '../../../api.ts'
import type { Sql } from '../../sql.ts'
import type { Fold } from '../fold.ts'
import { clearStale, readClaimCommands, readStale, readToShow } from './statements.ts'

/** Most commands that one statement reads. */
const PAGE = 256

/**
 * Derives the claims and the comments of the projects again that a migration has marked. Costs nothing without a mark.
 */
export function refoldStale(
  sql: Sql,
  driver: Pick<StoreDriver, 'exec'>,
  fold: Pick<Fold, 'reapply' | 'showAgain'>,
): void {
  const stale = readStale(sql)
  if (stale.length === 0) return
  // A savepoint is a transaction of its own if none is open.
  driver.exec('SAVEPOINT refold')
  try {
    for (const p of stale) refold(sql, fold, p)
    clearStale(sql)
    driver.exec('RELEASE refold')
  } catch (error) {
    driver.exec('ROLLBACK TO refold; RELEASE refold')
    throw error
  }
}

function refold(sql: Sql, fold: Pick<Fold, 'reapply' | 'showAgain'>, p: number): void {
  for (let last = 0; ; ) {
    const page = readClaimCommands(sql, p, last, PAGE)
    for (const [pos, id, text] of page) {
      const envelope = JSON.parse(text) as CommandEnvelope
      // A title may contain the same text.
      if (envelope.command.type.startsWith('claim.')) fold.reapply(p, pos, id, envelope)
      last = pos
    }
    if (page.length < PAGE) break
  }
  for (const entity of readToShow(sql, p)) fold.showAgain(p, entity)
}
