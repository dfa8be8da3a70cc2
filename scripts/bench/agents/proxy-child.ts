/**
 * The least that stands between an agent and a reader, as a process: it calls the agent with `fetch` for each request and passes on the
 * bytes as they come. It judges, keeps and shares nothing. What it costs is the cost of one more process in Node.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const url = process.argv[2]!

async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = Buffer.concat(await request.toArray())
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  const answer = await fetch(url, { method: 'POST', headers, body })
  response.writeHead(answer.status, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  for await (const bytes of answer.body!) if (!response.write(bytes)) await once(response, 'drain')
  response.end()
}

const server = createServer((request, response) => void pass(request, response).catch(() => response.destroy()))
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
