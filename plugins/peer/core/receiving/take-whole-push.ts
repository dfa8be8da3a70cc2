/** The ordinary push: it comes with the few commands that it pins, and is taken with them in one transaction. */
import { isSvcError } from '../../../../core/errors.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { IncomingPush } from '../../../sync/capabilities.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import type { Proven } from '../proving/prove-commands.ts'

/**
 * Takes a new push that comes with all that it pins. Undefined, with nothing done, for any other: going on step by step says
 * what it lacks, or what is wrong with it.
 */
export type AtOnce = (
  push: IncomingPush,
  peer: string,
  heads: readonly string[] | null,
  commands: Proven,
) => Promise<Inboxed | undefined>

/** Commands of such a push: a transaction holds the loop. */
export const MAX_AT_ONCE = 64

/** Makes it. */
export function createAtOnce(boards: Boards, inbox: PeerStore['inbox']): AtOnce {
  return async (push, peer, heads, { commands, bad }) => {
    if (bad !== undefined || commands.length > MAX_AT_ONCE || !push.family.takesFrontier) return undefined
    const by = { heads: heads ?? [], signerKeyId: push.request.signerKeyId }
    let told: (() => void) | undefined
    try {
      const inboxed = await inbox.applyWhole(push, peer, heads, (ledger) => {
        told = boards.engine.admitIn(ledger, push.project, commands, by)
        return told !== undefined
      })
      told?.()
      return inboxed
    } catch (error) {
      if (isSvcError(error) && error.status < 500) return undefined
      throw error
    }
  }
}
