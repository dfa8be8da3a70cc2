/** An agent of a test: an HTTP server that answers each call as the test says. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** The ids of a call. */
export interface CallIds {
  readonly threadId: string
  readonly runId: string
}

/** A call that the agent got. */
export interface AgentRequest {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  /** Whether the connection has been closed. */
  readonly isGone: () => boolean
}

/** What an agent does with a call, by the last part of the path. */
export type Behaviour = (response: ServerResponse, ids: CallIds) => unknown

/** A running agent. */
export interface TestAgent {
  readonly url: string
  readonly requests: AgentRequest[]
  close(): Promise<void>
}

/** The text of one event of a stream. */
export const frame = (event: object): string => `data: ${JSON.stringify(event)}\n\n`

/** Answers with the head of an event stream. */
export function begin(response: ServerResponse): ServerResponse {
  return response.writeHead(200, { 'content-type': 'text/event-stream' })
}

/** Answers with a whole event stream. */
export function say(response: ServerResponse, events: readonly object[]): void {
  begin(response).end(events.map(frame).join(''))
}

/** The events of a short answer. */
export const said = (ids: CallIds, text: string): readonly object[] => [
  { type: 'RUN_STARTED', ...ids },
  { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: text },
  { type: 'TEXT_MESSAGE_END', messageId: 'm' },
  { type: 'RUN_FINISHED', ...ids },
]

/** Starts an agent on loopback. */
export async function startAgent(behaviours: Readonly<Record<string, Behaviour>>): Promise<TestAgent> {
  const requests: AgentRequest[] = []
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    let gone = false
    response.on('close', () => {
      gone = true
    })
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const body = Buffer.concat(parts).toString()
      requests.push({ headers: request.headers, body, isGone: () => gone })
      const { threadId, runId } = JSON.parse(body) as CallIds
      void behaviours[request.url!.slice(1)]!(response, { threadId, runId })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
