/**
 * The devices that vouch for a set of commands. They are found once, and their status is checked in each transaction.
 */
import { allows } from '../../../protocol/scopes.ts'
import { fail } from '../../errors.ts'
import type { ReadCommand } from '../commands/envelope.ts'
import { isActive, type KbdDevice } from '../engine-parts.ts'
import type { KbdReads } from '../reads/reads.ts'
import { findHeads, type Head, type PinnedBy } from './vouching.ts'

/** The device of a key, whatever its status. */
export type FindDevice = (keyId: string) => KbdDevice | undefined

/** Whether a device may use a verb in the project now. */
export type May = (keyId: string, verb: string) => boolean

/** The heads of the new commands of a set, and the key id of the device that signed the push. */
export interface Vouchers {
  readonly heads: readonly Head<ReadCommand>[]
  readonly pinnedBy: string | undefined
}

/** Makes the function that says whether a device may use a verb. It remembers its answers. */
export function createMay(find: FindDevice, project: string, nowMs: number): May {
  const answers = new Map<string, boolean>()
  return (keyId, verb) => {
    const key = `${keyId} ${verb}`
    let answer = answers.get(key)
    if (answer === undefined) {
      const device = find(keyId)
      answer = device !== undefined && isActive(device, nowMs) && allows(device.scopes, 'kbd-control', project, verb)
      answers.set(key, answer)
    }
    return answer
  }
}

/** Finds the heads of the commands of a set that are new here. */
export function findVouchers(
  ledger: Pick<KbdReads, 'known'>,
  project: string,
  commands: readonly ReadCommand[],
  pinned: PinnedBy | undefined,
): Vouchers {
  const knownIds = ledger.known(
    project,
    commands.map(({ id }) => id),
  )
  const heads = findHeads(commands, knownIds, pinned?.heads)
  return { heads, pinnedBy: pinned?.signerKeyId }
}

/** Throws `signer_unknown` for the first head that no trusted device vouches for. */
export function requireVouched({ heads, pinnedBy }: Vouchers, may: May): void {
  const isPushTrusted = pinnedBy !== undefined && may(pinnedBy, 'push')
  for (const { index, command, isPinned } of heads) {
    const { signerKeyId, command: content } = command.envelope
    if ((isPinned && isPushTrusted) || may(signerKeyId, content.type)) continue
    throw fail('signer_unknown', { details: { index, commandId: command.id } })
  }
}
