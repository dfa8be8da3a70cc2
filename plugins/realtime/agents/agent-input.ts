/** What a caller sends to an agent: an AG-UI 1.0 `RunAgentInput`. */

import { parseJson } from '../../../core/http/json-body.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject } from '../../../core/kernel/values.ts'
import { inputProblem } from '../runs/event-shape.ts'

/** The parts of the input that this service uses. */
export interface AgentInput {
  readonly runId: string
  readonly threadId: string
  /** The RUN_STARTED of the run: its ids, and the messages and the state that it starts with. */
  readonly started: Readonly<Record<string, unknown>>
}

/** The member of `metadata` by which the same request is recognised again. */
const KEY = 'svc.agent'

/**
 * Reads the input of a call.
 * @throws SvcError `malformed_json`, `malformed_request`
 */
export async function readInput(agent: string, bytes: Uint8Array, maxIdBytes: number): Promise<AgentInput> {
  const input = parseJson(bytes)
  const problem = inputProblem(input, maxIdBytes)
  if (problem !== null)
    throw httpFail('malformed_request', { message: `The body is not an AG-UI 1.0 RunAgentInput: ${problem}.` })
  const { runId, threadId, parentRunId, messages, state } = input as Record<string, unknown>
  const started = {
    type: 'RUN_STARTED',
    ...{ threadId, runId },
    ...(typeof parentRunId === 'string' && { parentRunId }),
    input: { threadId, runId, messages, ...(state !== undefined && state !== null && { state }) },
    metadata: { [KEY]: { agent, sha256: await sha256(bytes) } },
  }
  return { runId: runId as string, threadId: threadId as string, started }
}

/** Whether a run was made by the same bytes for the same agent. */
export function isSame(started: Readonly<Record<string, unknown>>, { started: wanted }: AgentInput): boolean {
  return JSON.stringify(markOf(started)) === JSON.stringify(markOf(wanted))
}

function markOf({ metadata }: Readonly<Record<string, unknown>>): unknown {
  return isObject(metadata) ? (metadata[KEY] ?? null) : null
}

async function sha256(bytes: Uint8Array): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
