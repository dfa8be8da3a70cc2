/**
 * An agent that works on a board. It claims a free card, does the work, moves the card to the last column, and takes the next card,
 * until all cards are in the last column. Several agents may work on one board; docs/agents.md says why no card is done twice.
 *
 *   SVC_TOKEN=… node agent.mjs <socket> <key file> <project> <origin of the runtime surface> <name>
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { openProject } from './service.mjs'
import { work } from './work.mjs'

const [socketPath, keyFile, project, runtime, agent] = process.argv.slice(2)
const leaseMs = Number(process.env.AGENT_LEASE_MS ?? 60_000)
const { board, claims, enter, report } = openProject({ socketPath, keyFile, project, runtime })

/** Claims a card. Returns undefined if another claim holds the card. */
async function claim(cardId) {
  const claimId = randomUUID()
  try {
    await enter({ type: 'claim.acquire', claimId, cardId, agent, leaseMs })
  } catch (error) {
    if (error.code === 'claim_held') return undefined
    throw error
  }
  return (await claims()).claims.find((one) => one.claimId === claimId)
}

/** Works on a card for as long as the claim holds, and moves it to `done`. */
async function take({ cardId, title }, { claimId, generation }, done) {
  const [runId, threadId, lost] = [randomUUID(), cardId, new AbortController()]
  const renew = () => enter({ type: 'claim.renew', claimId, cardId, leaseMs })
  const renewing = setInterval(() => renew().catch((error) => lost.abort(error)), leaseMs / 3)
  try {
    await report('', { run_id: runId, thread_id: threadId })
    await report(`/${runId}/events`, { type: 'RUN_STARTED', threadId, runId })
    await work(cardId, { claimId, generation }, lost.signal)
    // The board is a resource too: the renewal fails if another agent holds the card, so that only the holder moves it.
    await renew()
    await enter({ type: 'card.move', cardId, ...done, rank: 'V' })
    await report(`/${runId}/events`, { type: 'RUN_FINISHED', threadId, runId })
    console.log(`${agent}: ${title}`)
  } catch (error) {
    console.error(`${agent}: ${title}: ${error.message}`)
    await report(`/${runId}/events`, { type: 'RUN_ERROR', message: error.message }).catch(() => undefined)
  } finally {
    clearInterval(renewing)
    await enter({ type: 'claim.release', claimId, cardId }).catch(() => undefined)
  }
}

console.log(`${agent}: at work`)
for (;;) {
  const { columns, cards, claims } = await board()
  const done = Object.values(columns).reduce((one, other) => (other.rank > one.rank ? other : one))
  const open = Object.values(cards).filter(({ place, archived }) => !archived && place.columnId !== done.columnId)
  if (open.length === 0) break
  const isHeld = ({ claim }) => claims[claim]?.state === 'held' && claims[claim].expiresAtMs > Date.now()
  const free = open.find((card) => !isHeld(card))
  const held = free && (await claim(free.cardId))
  if (held) await take(free, held, { boardId: done.boardId, columnId: done.columnId })
  else await wait(200)
}
