/** Appends to runs: each run has one caller, who waits for the acknowledgement of each append. */
import { load as drive } from '../auth/client.ts'
import { BEARER, call, type Measured } from './servers.ts'

const EVENT = '{"type":"CUSTOM","name":"n","value":"a value of ordinary length"}'

/** Options of {@link appendTo}. */
export interface AppendOptions {
  /** Prefix of the names of the runs. The runs are created for this measurement and ended after it. */
  readonly name: string
  /** Number of runs that are appended to at the same time, distributed over the nodes. */
  readonly appenders: number
  readonly seconds: number
}

/**
 * Appends for `seconds`. Resolves to the number of acknowledgements.
 * @throws Error if an append is refused
 */
export async function appendTo(
  nodes: readonly Measured[],
  { name, appenders, seconds }: AppendOptions,
): Promise<number> {
  const runs = Array.from({ length: appenders }, (_, n) => ({
    id: `${name}-${n}`,
    port: nodes[n % nodes.length]!.port,
  }))
  await Promise.all(
    runs.map(async ({ id, port }) => {
      await call(port, '/api/svc/runs', { run_id: id })
      await call(port, `/api/svc/runs/${id}/events`, { type: 'RUN_STARTED', threadId: 't', runId: id })
    }),
  )
  const loads = await Promise.all(runs.map(({ id, port }) => drive({ ...requestOf(id), port, seconds })))
  const answers = loads.reduce((sum, one) => sum + one.answers, 0)
  const refused = loads.reduce((sum, one) => sum + one.refused, 0)
  if (refused > 0) throw new Error(`${refused} of ${answers} appends were refused`)
  await Promise.all(
    runs.map(({ id, port }) =>
      call(port, `/api/svc/runs/${id}/events`, { type: 'RUN_FINISHED', threadId: 't', runId: id }),
    ),
  )
  return answers
}

function requestOf(runId: string): { headers: readonly string[]; request: string; connections: number } {
  const head = [
    `POST /api/svc/runs/${runId}/events HTTP/1.1`,
    'Host: 127.0.0.1',
    BEARER,
    'Content-Type: application/json',
    `Content-Length: ${EVENT.length}`,
  ].join('\r\n')
  return { headers: [''], request: `${head}\r\n\r\n${EVENT}`, connections: 1 }
}
