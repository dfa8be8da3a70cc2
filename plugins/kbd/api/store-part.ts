/** The check of boards in `svc store check`. */

import type { StorePart } from '../../../core/declare/capabilities.ts'
import type { StoreCheck } from '../../store/api.ts'
import type {} from '../../sync/capabilities.ts'
import { checkKbd } from '../engine/check.ts'
import { defaultLimits } from '../engine/limits.ts'
import { hasBoards } from './statements.ts'

/**
 * Makes every board again from its commands and names the first difference. The limits cannot refuse a command here.
 */
const checkBoards: StoreCheck = ({ driver, scratch, ...codecs }) => {
  // Another part of the store makes the tables, so they may be missing, or of an older program.
  if (!hasBoards(driver)) return []
  const audit = { append: (fact: object) => ({ ...fact, seq: 0, hash: '' }) as never }
  const damage = checkKbd({ driver, codecs, limits: defaultLimits, audit }, scratch)
  if (damage === undefined) return []
  const { project, table, key } = damage
  return [`${project === null ? 'boards' : `board ${project}`}: ${table}${key === null ? '' : ` ${key}`}`]
}

/** The store part of `kbd.api`. */
export const storePart: StorePart = { check: checkBoards }
