/** What the agent does to a card: it changes a resource outside of the board, and shows it the fencing token. */
import { setTimeout as wait } from 'node:timers/promises'

/** Works on a card. Rejects where the claim is lost, by `lost` or by the word of the resource. */
export async function work(cardId, token, lost) {
  const tell = async (state) => {
    const body = JSON.stringify({ ...token, state })
    const answer = await fetch(`${process.env.AGENT_RESOURCE}/${cardId}`, { method: 'PUT', body, signal: lost })
    if (!answer.ok) throw new Error(await answer.text())
    return answer.json()
  }
  // Who died after the work was done and before the card was moved leaves that to the next.
  if ((await tell('begun')).isDone) return
  await wait(Number(process.env.AGENT_WORK_MS ?? 1_000), undefined, { signal: lost })
  await tell('done')
}
