/** The work of the agent on a card: it changes a resource outside of the board, and sends the fencing token with each request. */
import { setTimeout as wait } from 'node:timers/promises'

/** Works on a card. Rejects if `lost` aborts, or if the resource refuses the token: the claim is lost. */
export async function work(cardId, token, lost) {
  const send = async (state) => {
    const body = JSON.stringify({ ...token, state })
    const answer = await fetch(`${process.env.AGENT_RESOURCE}/${cardId}`, { method: 'PUT', body, signal: lost })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  // A previous agent may have died after the work and before it moved the card. Then only the move is left.
  if ((await send('begun')).isDone) return
  await wait(Number(process.env.AGENT_WORK_MS ?? 1_000), undefined, { signal: lost })
  await send('done')
}
