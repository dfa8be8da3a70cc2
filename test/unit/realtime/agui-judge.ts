import { HttpAgent } from '@ag-ui/client'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { encodeJson } from '../../../plugins/realtime/streams/sse.ts'

/** What a standard AG-UI client holds after a stream. */
export interface Reduced {
  readonly messages: unknown
  readonly state: unknown
}

// The client warns about everything it overlooks; the judgement is in what it throws and holds.
console.warn = () => {}

/** Lets the standard AG-UI client read a stream: rejects where its validator or verifier refuses, else gives what it holds. */
export async function readAsClient(stream: Uint8Array | readonly AgUiEvent[]): Promise<Reduced> {
  const body = stream instanceof Uint8Array ? stream : Buffer.concat(stream.map((event) => encodeJson(event)))
  const answer = new Response(Buffer.from(body), { headers: { 'content-type': 'text/event-stream' } })
  const agent = new HttpAgent({ url: 'http://localhost/', fetch: async () => answer })
  const errors: unknown[] = []
  const error = console.error
  console.error = () => {}
  try {
    await agent.runAgent({}, { onRunFailed: ({ error: reason }) => void errors.push(reason) })
  } finally {
    console.error = error
  }
  if (errors.length > 0) throw errors[0]
  return JSON.parse(JSON.stringify({ messages: agent.messages, state: agent.state })) as Reduced
}
