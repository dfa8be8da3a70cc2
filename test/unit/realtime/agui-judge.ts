import { HttpAgent } from '@ag-ui/client'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { encodeJson } from '../../../plugins/realtime/streams/sse.ts'

/** The state of a standard AG-UI client after a stream. */
export interface Reduced {
  readonly messages: unknown
  readonly state: unknown
}

// The client warns about every event that it ignores. Only its errors and its state matter here.
console.warn = () => {}

/**
 * Reads a stream with the standard AG-UI client, and returns the client's state.
 * @throws The error of the client's validator or verifier.
 */
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

/**
 * A late joiner may get the recorded sub-agent where the producer left it out of a later start. Nothing else may
 * differ.
 */
export function withoutAddedOwners(joined: Reduced, whole: Reduced): Reduced {
  const seen = whole.messages as readonly { subagentRunId?: string }[]
  const messages = (joined.messages as readonly { subagentRunId?: string }[]).map((message, index) => {
    const { subagentRunId: _owner, ...rest } = message
    return { ...rest, ...(seen[index]?.subagentRunId !== undefined && { subagentRunId: seen[index].subagentRunId }) }
  })
  return { ...joined, messages }
}
