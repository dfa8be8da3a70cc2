/** Several nodes as one thing under test. */
import type { Send, Target } from '../../core/contract.ts'

/** How long a revocation may take to reach every node, in milliseconds. */
const REVOKED_MS = 1_000

/** A target that hands each request to the next of several. What revokes a key is answered once all nodes must know. */
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
