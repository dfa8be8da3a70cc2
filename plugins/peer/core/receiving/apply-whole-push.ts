/** The usual push: it comes with the few commands that it pins, and is applied with them in one transaction. */
import { isSvcError } from '../../../../core/declare/errors.ts'
import type { Boards } from '../../../kbd/capabilities.ts'
import type { IncomingPush } from '../../../sync/capabilities.ts'
import type { Inboxed, PeerStore } from '../../registry/capabilities.ts'
import type { Proven } from '../proving/prove-commands.ts'

/**
 * Applies a new push that comes with everything that it pins. For any other push it writes nothing and returns
 * undefined; the caller then receives the push step by step, and the step that fails gives the reason.
 */
export type ApplyWhole = (
  push: IncomingPush,
  peer: string,
  heads: readonly string[] | null,
  commands: Proven,
) => Promise<Inboxed | undefined>

/** Most commands of such a push, because a transaction blocks the event loop. */
export const MAX_WHOLE = 64

/** Creates it. */
export function createApplyWhole(boards: Boards, inbox: PeerStore['inbox']): ApplyWhole {
  return async (push, peer, heads, { commands, bad }) => {
    if (bad !== undefined || commands.length > MAX_WHOLE || !push.family.takesFrontier) return undefined
    const by = { heads: heads ?? [], signerKeyId: push.request.signerKeyId }
    let notify: (() => void) | undefined
    try {
      const inboxed = await inbox.takeWhole(push, peer, heads, (ledger) => {
        notify = boards.engine.admitIn(ledger, push.project, commands, by)
        return notify !== undefined
      })
      notify?.()
      return inboxed
    } catch (error) {
      if (isSvcError(error) && error.status < 500) return undefined
      throw error
    }
  }
}
