/** The tools that claim cards. */

import { orNull } from '../../../core/declare/json-schema.ts'
import type { BoardActions, JudgedClaim, NewClaim } from '../cli/api.ts'
import { gives, inputs, outputs, takes } from './schemas.ts'
import { type Input, idOfCall, leaseOf, memberOf, type Tool, type ToolContext, textOf } from './tool.ts'
import { viewClaim } from './views.ts'

const { text: TEXT, count: COUNT, time: TIME, claim: CLAIM } = outputs
/** The members of an input that makes a claim. */
const CLAIMING = { leaseSeconds: inputs.lease, agent: inputs.agent, idempotency_key: inputs.idempotencyKey }

/** The tools. */
export const claimTools: readonly Tool[] = [
  {
    name: 'card_next',
    title: 'Claim the next card',
    description:
      'Claims the first card of a column that nobody holds, and returns it with its claim, as claim_acquire does. `claim` is null if there is none.',
    inputSchema: takes(['column'], { column: inputs.column, board: inputs.board, ...CLAIMING }),
    outputSchema: gives({ claim: orNull(CLAIM), title: orNull(TEXT), nowMs: TIME }),
    reads: false,
    async run(input, context) {
      const { board, now } = context
      const claimed = await board.claimNext(
        textOf(input, 'column'),
        memberOf(input, 'board'),
        claimOf(input, context, 'card_next'),
      )
      return claimed === undefined
        ? { claim: null, title: null, nowMs: now() }
        : { ...viewJudged(claimed, board), title: claimed.title }
    },
  },
  {
    name: 'claim_acquire',
    title: 'Claim a card',
    description:
      'Takes a lease on a card that nobody holds. `generation` and `claimId` are its fencing token: pass both to every system that you change outside of the board, so that the system can refuse an older holder.',
    inputSchema: takes(['card'], { card: inputs.card, ...CLAIMING }),
    outputSchema: gives({ claim: CLAIM, nowMs: TIME }),
    reads: false,
    async run(input, context) {
      const { board } = context
      return viewJudged(await board.claim(textOf(input, 'card'), claimOf(input, context, 'claim_acquire')), board)
    },
  },
  {
    name: 'claim_renew',
    title: 'Renew a claim',
    description: 'Sets a new end of your own lease on a card, from now on. Fails if the lease has ended: then stop.',
    inputSchema: takes(['card'], { card: inputs.card, leaseSeconds: inputs.lease }),
    outputSchema: gives({ claim: CLAIM, nowMs: TIME }),
    reads: false,
    run: async (input, { board }) => viewJudged(await board.renew(textOf(input, 'card'), leaseOf(input)), board),
  },
  {
    name: 'claim_release',
    title: 'Release a claim',
    description: 'Ends your own lease on a card, so that others may take it.',
    inputSchema: takes(['card'], { card: inputs.card }),
    outputSchema: gives({ claimId: TEXT, revision: COUNT }),
    reads: false,
    async run(input, { board }) {
      const { claimId, entered } = await board.release(textOf(input, 'card'))
      return { claimId, revision: entered.revision }
    },
  },
]

function claimOf(input: Input, context: ToolContext, tool: string): NewClaim {
  return {
    leaseMs: leaseOf(input),
    agent: memberOf<string>(input, 'agent') ?? context.agent,
    claimId: idOfCall(input, context, tool),
  }
}

function viewJudged({ claim, nowMs }: JudgedClaim, board: BoardActions) {
  return { claim: viewClaim(claim, board.keyId()), nowMs }
}
