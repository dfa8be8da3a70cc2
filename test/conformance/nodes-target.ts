/** Combines several nodes into one target. */
import type { Send, Target } from '../../core/testing/contract.ts'

/** The longest time until a revocation has reached every node, in milliseconds. */
const REVOKED_MS = 1_000

/**
 * Creates a target that sends each request to the next node. The answer to a revocation is delayed until every node has
 * applied it.
 */
export function inTurn(targets: readonly Target[]): Target {
  let turn = 0
  const next = (): Target => targets[turn++ % targets.length]!
  return {
    request: async (send) => {
      const answer = await next().request(send)
      if (revokes(send)) await new Promise((resolve) => setTimeout(resolve, REVOKED_MS))
      return answer
    },
    open: (send) => next().open(send),
    logs: () => targets.map((target) => target.logs()).join('\n'),
  }
}

function revokes({ method, path }: Send): boolean {
  return method === 'DELETE' && path.includes('/auth/keys/')
}
