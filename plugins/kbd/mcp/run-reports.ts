/** Runs that are reported to the runtime surface, as events of AG-UI. */

import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { CommandRefusal } from '../../../core/command.ts'
import type { RuntimeClient } from '../../transport/client/api.ts'

/** What is reported of a run. */
export interface RunReport {
  readonly runId?: string
  /** What the run is about; only where it begins. */
  readonly threadId?: string | undefined
  readonly state?: 'started' | 'step' | 'message' | 'finished' | 'failed'
  readonly text?: string
  /** Events that follow those of the state, as they are. */
  readonly events?: readonly object[]
}

/** Where a run stands after a report. */
export type ReportedRun = { readonly runId: string; readonly status: string; readonly lastSeq: number }

/** Reports runs. Rejects with the code of the runtime surface, `token_missing` or `runtime_away`. */
export interface RunReports {
  report(report: RunReport): Promise<ReportedRun>
}

/** Where runs are reported, and as whom. */
export interface RuntimeAccess {
  /** Called when the first run is reported. */
  readonly client: RuntimeClient
  /** The header of a bearer token or an API key; asked at each report, so that a new one counts at once. */
  readonly credential: () => Readonly<Record<string, string>>
}

/** The members of a run's record that are needed here. */
interface RunRecord {
  readonly run_id: string
  readonly thread_id: string
  readonly status: string
  readonly last_seq: number
}

/** Longest wait for an answer, in milliseconds: an agent waits with it. */
const PATIENCE_MS = 10_000
/** Characters of an answer: a run's record and a refusal are far below. */
const MAX_ANSWER = 1_048_576

/** Makes the reports of one server. */
export function createRunReports(access: RuntimeAccess): RunReports {
  const ask = async (method: 'GET' | 'POST', path: string, body?: unknown): Promise<RunRecord> => {
    const credential = access.credential()
    const origin = access.client.origin()
    let value: RunRecord & { error?: Readonly<Record<string, unknown>> }
    try {
      value = JSON.parse(await exchange(access.client, method, path, credential, body)) as typeof value
    } catch {
      throw new CommandRefusal('runtime_away', `The runtime surface at ${origin} does not answer.`)
    }
    const { error } = value
    if (error === undefined) return value
    throw new CommandRefusal(String(error['code']), String(error['message']), error)
  }
  return {
    async report({ runId = randomUUID(), threadId = runId, state, text, events = [] }) {
      if (state === undefined && events.length === 0)
        throw new CommandRefusal('input_invalid', 'Give a state, or events.')
      if ((state === 'step' || state === 'message') && text === undefined)
        throw new CommandRefusal('input_invalid', `A ${state} needs a text.`)
      const path = `/api/svc/runs/${encodeURIComponent(runId)}`
      if (state === 'started') await ask('POST', '/api/svc/runs', { run_id: runId, thread_id: threadId })
      // A run ends as part of the thread that it began in.
      const thread = state === 'finished' ? (await ask('GET', path)).thread_id : threadId
      const all = [...eventsOf(runId, thread, state, text), ...events]
      const { status, last_seq: lastSeq } = await ask('POST', `${path}/events`, all)
      return { runId, status, lastSeq }
    },
  }
}

/** Sends one request, and gives the body of the answer. */
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
  // A redirect would lead the credential elsewhere, and is no answer.
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
  const said =
    text === undefined
      ? []
      : [
          { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId, delta: text },
          { type: 'TEXT_MESSAGE_END', messageId },
        ]
  switch (state) {
    case 'started':
      return [{ type: 'RUN_STARTED', threadId, runId }, ...said]
    case 'step':
      return [
        { type: 'STEP_STARTED', stepName: text },
        { type: 'STEP_FINISHED', stepName: text },
      ]
    case 'message':
      return said
    case 'finished':
      return [...said, { type: 'RUN_FINISHED', threadId, runId }]
    case 'failed':
      return [{ type: 'RUN_ERROR', message: text ?? 'The run failed.' }]
    default:
      return []
  }
}
