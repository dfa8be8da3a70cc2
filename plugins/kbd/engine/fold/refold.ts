/** Derives again what a migration has removed, because the rules of the fold have changed since it was derived. */

import type { LedgerDriver } from '../../../sync/api.ts'
import type { CommandEnvelope } from '../../api.ts'
import type { Sql } from '../sql.ts'
import type { Fold } from './fold.ts'
import { CREATED } from './registers.ts'

/** Most commands that one statement reads. */
const PAGE = 256

/** Derives the claims and the comments of the projects again that a migration has marked. Costs nothing without a mark. */
export function refoldStale(
  sql: Sql,
  driver: Pick<LedgerDriver, 'exec'>,
  fold: Pick<Fold, 'reapply' | 'showAgain'>,
): void {
  const stale = sql('SELECT p FROM kbd_stale').all<[p: number]>()
  if (stale.length === 0) return
  // A savepoint is a transaction of its own if none is open.
  driver.exec('SAVEPOINT refold')
  try {
    for (const [p] of stale) refold(sql, fold, p)
    sql('DELETE FROM kbd_stale').run()
    driver.exec('RELEASE refold')
  } catch (error) {
    driver.exec('ROLLBACK TO refold; RELEASE refold')
    throw error
  }
}

function refold(sql: Sql, fold: Pick<Fold, 'reapply' | 'showAgain'>, p: number): void {
  for (let last = 0; ; ) {
    const page = sql(`SELECT pos, id, envelope FROM kbd_commands
      WHERE p = ? AND pos > ? AND instr(envelope, '"type":"claim.') > 0 ORDER BY pos LIMIT 0 + ?`).all<
      [pos: number, id: string, envelope: string]
    >(p, last, PAGE)
    for (const [pos, id, text] of page) {
      const envelope = JSON.parse(text) as CommandEnvelope
      // A title may contain the same text.
      if (envelope.command.type.startsWith('claim.')) fold.reapply(p, pos, id, envelope)
      last = pos
    }
    if (page.length < PAGE) break
  }
  const cards = sql("SELECT id FROM kbd_views WHERE p = ? AND map = 'cards' AND json NOT LIKE '%\"claim\":null}'")
  for (const [id] of cards.all<[id: string]>(p)) fold.showAgain(p, `card/${id}`)
  const comments = sql(`SELECT entity FROM kbd_entries WHERE p = ? AND entity BETWEEN 'comment/' AND 'comment/~'
    AND name = '${CREATED}' GROUP BY entity HAVING count(*) > 1`)
  for (const [entity] of comments.all<[entity: string]>(p)) fold.showAgain(p, entity)
}
