/** All tools of boards. */
import { cardTools } from './card-tools.ts'
import { claimTools } from './claim-tools.ts'
import { readTools } from './read-tools.ts'
import { gives, inputs, outputs, takes } from './schemas.ts'
import { idOfCall, memberOf, type Tool } from './tool.ts'

const { text: TEXT, count: COUNT } = outputs

/** The tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [
  ...readTools,
  ...cardTools,
  ...claimTools,
  {
    name: 'run_report',
    title: 'Report a run',
    description:
      'Reports your work as a run of AG-UI events, which people follow: `started` first, then steps and messages, at last `finished` or `failed`. Use the runId of the answer in what follows.',
    inputSchema: takes([], {
      runId: inputs.runId,
      card: { ...inputs.card, description: 'The card that the run is about; only with `started`.' },
      state: inputs.state,
      text: { ...inputs.text, description: 'The name of a step, the text of a message, or why the run failed.' },
      events: inputs.events,
      idempotency_key: {
        ...inputs.idempotencyKey,
        description: 'Only with `started`: the same key again starts no second run, and returns the first one.',
      },
    }),
    outputSchema: gives({ runId: TEXT, status: TEXT, lastSeq: COUNT }),
    reads: false,
    async run({ idempotency_key: key, ...input }, context) {
      const { runs, board } = context
      const card = memberOf<string>(input, 'card')
      const threadId = card === undefined ? undefined : board.find.card(await board.project(), card).cardId
      const runId = memberOf<string>(input, 'runId') ?? idOfCall({ idempotency_key: key }, context, 'run_report')
      return runs.report({ ...input, ...(runId !== undefined && { runId }), threadId, isRepeatable: key !== undefined })
    },
  },
]
