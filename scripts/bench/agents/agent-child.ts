/**
 * An agent of the bench, as a process: it answers a run input with a stream of AG-UI events as fast as they are taken. The number of
 * its text events is `forwardedProps.events` of the input; with -1 it sends headers and no events.
 */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

interface Input {
  readonly threadId: string
  readonly runId: string
  readonly forwardedProps: { readonly events: number }
}

async function answer(response: ServerResponse, { threadId, runId, forwardedProps }: Input): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.flushHeaders()
  if (forwardedProps.events < 0) return
  const say = async (event: object): Promise<void> => {
    if (!response.write(`data: ${JSON.stringify(event)}\n\n`)) await once(response, 'drain')
  }
  const messageId = 'm'
  await say({ type: 'RUN_STARTED', threadId, runId })
  await say({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' })
  for (let n = 0; n < forwardedProps.events; n++)
    await say({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta: `token ${n} of a text that an agent says ` })
  await say({ type: 'TEXT_MESSAGE_END', messageId })
  await say({ type: 'RUN_FINISHED', threadId, runId })
  response.end()
}

const server = createServer((request, response) => {
  let body = ''
  request.setEncoding('utf8').on('data', (text: string) => (body += text))
  // A reader that goes away ends its answer; `drain` then never comes.
  request.once('end', () => void answer(response, JSON.parse(body) as Input).catch(() => response.destroy()))
})
server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
process.once('disconnect', () => process.exit())
