/** Reports runs to the runtime surface, as events of AG-UI. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CommandRefusal } from '../../../core/declare/command.ts'
import type { RuntimeClient } from '../../transport/client/api.ts'

/** One report of a run. */
export interface RunReport {
  readonly runId?: string
  /** The thread of the run, which is the id of a card or another id. Used only if the state is `started`. */
  readonly threadId?: string | undefined
  readonly state?: 'started' | 'step' | 'message' | 'finished' | 'failed'
  readonly text?: string
  /** Events that are sent unchanged after those of the state. */
  readonly events?: readonly object[]
  /** Starting a run that is there already is no error if it has events: then the first call was answered by nobody. */
  readonly isRepeatable?: boolean
}

/** The status of a run after a report. */
export type ReportedRun = { readonly runId: string; readonly status: string; readonly lastSeq: number }

/** Reports runs. Rejects with the code of the runtime surface, `token_missing` or `runtime_away`. */
export interface RunReports {
  report(report: RunReport): Promise<ReportedRun>
}

/** The runtime surface, and the credential for its requests. */
export interface RuntimeAccess {
  readonly client: RuntimeClient
  /** The header of a bearer token or an API key. Called at each request, so that a new token is used at once. */
  readonly credential: () => Readonly<Record<string, string>>
}

/** The members of a run's record that are needed here. */
interface RunRecord {
  readonly run_id: string
  readonly thread_id: string
  readonly status: string
  readonly last_seq: number
}

/** Longest wait for an answer, in milliseconds. The agent waits for this time too. */
const PATIENCE_MS = 10_000
/** Most characters of an answer. The record of a run or a refusal is much shorter. */
const MAX_ANSWER = 1_048_576

/** Makes the reports of one server. */
export function createRunReports(access: RuntimeAccess): RunReports {
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<RunRecord> => {
    const credential = access.credential()
    const origin = access.client.origin()
    let value: RunRecord | { readonly error: Readonly<Record<string, unknown>> }
    try {
      value = JSON.parse(await exchange(access.client, method, path, credential, body)) as typeof value
    } catch {
      throw new CommandRefusal('runtime_away', `The runtime surface at ${origin} does not answer.`)
    }
    // The record of a run that failed has an `error` of its own.
    if ('run_id' in value) return value
    const { error } = value
    throw new CommandRefusal(String(error['code']), String(error['message']), error)
  }
  return {
    async report({ runId = randomUUID(), threadId = runId, state, text, events = [], isRepeatable = false }) {
      if (state === undefined && events.length === 0)
        throw new CommandRefusal('input_invalid', 'Give a state, or events.')
      if ((state === 'step' || state === 'message') && text === undefined)
        throw new CommandRefusal('input_invalid', `A ${state} needs a text.`)
      const path = `/api/svc/runs/${encodeURIComponent(runId)}`
      if (state === 'started')
        try {
          await ask('POST', '/api/svc/runs', { run_id: runId, thread_id: threadId })
        } catch (error) {
          if (!isRepeatable || !(error instanceof CommandRefusal) || error.code !== 'run_exists') throw error
          const { status, last_seq: lastSeq } = await ask('GET', path)
          // Without an event the first call has failed between its two requests.
          if (lastSeq > 0) return { runId, status, lastSeq }
        }
      // RUN_FINISHED needs the thread with which the run began.
      const thread = state === 'finished' ? (await ask('GET', path)).thread_id : threadId
      const all = [...eventsOf(runId, thread, state, text), ...events]
      const { status, last_seq: lastSeq } = await ask('POST', `${path}/events`, all)
      return { runId, status, lastSeq }
    },
  }
}

/** Sends one request. Returns the body of the answer. */
async function exchange(
  client: RuntimeClient,
  method: string,
  path: string,
  credential: Readonly<Record<string, string>>,
  body: unknown,
): Promise<string> {
  const text = body === undefined ? undefined : JSON.stringify(body)
  const type =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const outgoing = await client.open({ method, path, headers: { ...credential, ...type }, signal })
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
    outgoing.end(text)
  })
  // A redirect is no answer. Following it would send the credential to another server.
  const { statusCode = 0 } = answer
  let read = ''
  for await (const chunk of answer.setEncoding('utf8')) {
    read += chunk as string
    if (read.length > MAX_ANSWER || (statusCode >= 300 && statusCode < 400))
      throw new Error('no answer of a runtime surface')
  }
  return read
}

function eventsOf(
  runId: string,
  threadId: string,
  state: RunReport['state'],
  text: string | undefined,
): readonly object[] {
  const messageId = randomUUID()
  const messages =
    text === undefined
      ? []
      : [
          { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
          { type: 'TEXT_MESSAGE_END', messageId },
        ]
  switch (state) {
    case 'started':
      return [{ type: 'RUN_STARTED', threadId, runId }, ...messages]
    case 'step':
      return [
        { type: 'STEP_STARTED', stepName: text },
        { type: 'STEP_FINISHED', stepName: text },
      ]
    case 'message':
      return messages
    case 'finished':
      return [...messages, { type: 'RUN_FINISHED', threadId, runId }]
    case 'failed':
      return [{ type: 'RUN_ERROR', message: text ?? 'The run failed.' }]
    default:
      return []
  }
}
