/**
 * An agent, or a proxy in front of it, as a process. The agent answers a run input with a stream of AG-UI events as
 * fast as they are taken. The number of its text events is `forwardedProps.events` of the input; with -1 it sends
 * headers and no events. The proxy only forwards bytes: it shows the cost of one more process of Node.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { serving, setupOf } from '../harness/processes.ts'

interface Input {
  readonly threadId: string
  readonly runId: string
  readonly forwardedProps: { readonly events: number }
}

/** The URL that the proxy calls; null for the agent. */
const url = setupOf<string | null>()

function* eventsOf({ threadId, runId, forwardedProps }: Input): Generator<object> {
  const messageId = 'm'
  yield { type: 'RUN_STARTED', threadId, runId }
  yield { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' }
  for (let n = 0; n < forwardedProps.events; n++)
    yield { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: `token ${n} of a text that an agent says ` }
  yield { type: 'TEXT_MESSAGE_END', messageId }
  yield { type: 'RUN_FINISHED', threadId, runId }
}

async function* agent(body: string): AsyncGenerator<string> {
  const input = JSON.parse(body) as Input
  if (input.forwardedProps.events < 0) await new Promise(() => undefined)
  for (const event of eventsOf(input)) yield `data: ${JSON.stringify(event)}\n\n`
}

async function* proxy(body: string): AsyncGenerator<Uint8Array> {
  const headers = { 'content-type': 'application/json', accept: 'text/event-stream' }
  yield* (await fetch(url!, { method: 'POST', headers, body })).body!
}

async function answer(response: ServerResponse, chunks: AsyncIterable<string | Uint8Array>): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders()
  for await (const chunk of chunks) if (!response.write(chunk)) await once(response, 'drain')
  response.end()
}

const server = createServer(async (request, response) => {
  const body = await text(request)
  // A reader that closes its connection ends its answer; `drain` then never comes.
  await answer(response, url === null ? agent(body) : proxy(body)).catch(() => response.destroy())
})
server.listen(0, '127.0.0.1', () => serving((server.address() as AddressInfo).port))
