/** What boards add to the commands of the store. */
import type { CommandPart } from '../../../core/command.ts'
import type { StoreCheckPart } from '../../sync/api.ts'
import { checkKbd } from '../engine/check.ts'
import { defaultLimits } from '../engine/parts.ts'

/** Makes every board anew from its commands and names the first difference; none of its limits can refuse a command. */
const checkBoards: StoreCheckPart = {
  partOf: 'store check',
  run({ driver, scratch, ...codecs }) {
    const audit = { append: (fact: object) => ({ ...fact, seq: 0, hash: '' }) as never }
    const damage = checkKbd({ driver, codecs, limits: defaultLimits, audit }, scratch)
    if (damage === undefined) return []
    const { project, table, key } = damage
    return [`${project === null ? 'boards' : `board ${project}`}: ${table}${key === null ? '' : ` ${key}`}`]
  },
}

/** The part of `svc store check`. */
export const commands: readonly CommandPart[] = [checkBoards]
