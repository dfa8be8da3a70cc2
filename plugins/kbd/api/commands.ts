/** What boards give to the commands of the store. */
import type { CommandGifts } from '../../../core/command.ts'
import type { StoreCheck } from '../../sync/api.ts'
import type {} from '../../sync/capabilities.ts'
import { checkKbd } from '../engine/check.ts'
import { defaultLimits } from '../engine/parts.ts'

/** Makes every board anew from its commands and names the first difference; none of its limits can refuse a command. */
const checkBoards: StoreCheck = ({ driver, scratch, ...codecs }) => {
  const audit = { append: (fact: object) => ({ ...fact, seq: 0, hash: '' }) as never }
  const damage = checkKbd({ driver, codecs, limits: defaultLimits, audit }, scratch)
  if (damage === undefined) return []
  const { project, table, key } = damage
  return [`${project === null ? 'boards' : `board ${project}`}: ${table}${key === null ? '' : ` ${key}`}`]
}

/** A part of `svc store check`. */
export const commands: readonly CommandGifts[] = [{ gives: { StoreCheck: () => checkBoards } }]
