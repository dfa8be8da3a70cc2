/**
 * A resource outside of the board that agents change. It remembers the newest fencing token of each card. It refuses a request with an
 * older generation, or with another claim of the same generation, so that only the holder of the card changes the resource.
 */
import { createServer } from 'node:http'

/** Makes the server. `newest` has the token of each card; `works` and `refused` list the accepted and the refused work. */
export function createResource() {
  const newest = new Map()
  const works = []
  const refused = []
  const server = createServer(async (request, answer) => {
    const cardId = request.url.slice(1)
    const { claimId, generation, state } = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const known = newest.get(cardId) ?? { generation: 0 }
    if (generation < known.generation || (generation === known.generation && claimId !== known.claimId)) {
      refused.push({ cardId, generation, state })
      answer.writeHead(409).end('Another holds the card.')
      return
    }
    newest.set(cardId, { claimId, generation })
    if (state === 'done') works.push({ cardId, generation })
    answer.end(JSON.stringify({ isDone: works.some((one) => one.cardId === cardId) }))
  })
  return { server, newest, works, refused }
}
