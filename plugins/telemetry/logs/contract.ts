/** The contract of the log. */
import { type Contract, defineContract, refusesSetting, type Target } from '../../../core/testing/contract.ts'

const traceId = '0af7651916cd43dd8448eb211c80319c'

/** The default filter of the program. The default of a library passes warnings and errors only. */
const everything = { 'logs.filter': 'info,svc=debug' }

/** The contract of feature `telemetry.logs`. */
export const contract: Contract = defineContract({
  present: [
    {
      name: 'a request is logged with method, route, status, duration and the trace of its caller',
      given: everything,
      steps: async (target) => {
        await target.request({ path: '/health', headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
        const entry = await find(target, (one) => one['trace_id'] === traceId)
        const expected = { level: 'INFO', target: 'svc::http', method: 'GET', route: '/health', status: 200 }
        for (const [name, value] of Object.entries(expected)) {
          if (entry[name] !== value) throw new Error(`${name} is ${JSON.stringify(entry[name])}`)
        }
        if (typeof entry['duration_ms'] !== 'number') throw new Error('no duration_ms')
        if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(entry['timestamp'])))
          throw new Error('no timestamp')
        if (entry['span_id'] === 'b7ad6b7169203331') throw new Error('the span of the caller, not one of its own')
      },
    },
    {
      name: 'a path that a client invents is not in the log',
      given: everything,
      steps: async (target) => {
        await target.request({ path: '/invented-path', headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
        await find(target, (one) => one['route'] === 'unmatched')
        if (target.logs().includes('invented-path')) throw new Error('it is')
      },
    },
    {
      name: 'compact is one line for people',
      given: { ...everything, 'server.log_format': 'compact' },
      steps: async (target) => {
        await target.request({ path: '/health' })
        await seen(target, (logs) =>
          / INFO svc::http: GET \/health 200 method=GET route=\/health status=200 /.test(logs),
        )
      },
    },
    {
      name: 'pretty is several lines for people',
      given: { ...everything, 'server.log_format': 'pretty' },
      steps: async (target) => {
        await target.request({ path: '/health' })
        await seen(target, (logs) => / INFO svc::http: GET \/health 200\n {4}method: GET\n/.test(logs))
      },
    },
    {
      name: 'a filter decides by target',
      given: { 'logs.filter': 'trace,svc::http=warn' },
      steps: async (target) => {
        await target.request({ path: '/health' })
        if (target.logs().includes('"target":"svc::http"')) throw new Error('the request is in the log')
      },
    },
  ],
  absent: [refusesSetting('server.log_format', 'json')],
})

/** Lines are written shortly after the answer. */
const PATIENCE_MS = 2_000

async function seen(target: Target, look: (logs: string) => boolean): Promise<void> {
  for (
    const until = Date.now() + PATIENCE_MS;
    !look(target.logs());
    await new Promise((next) => setTimeout(next, 10))
  ) {
    if (Date.now() > until) throw new Error('no such entry in the log')
  }
}

async function find(
  target: Target,
  wanted: (entry: Record<string, unknown>) => boolean,
): Promise<Record<string, unknown>> {
  let match: Record<string, unknown> | undefined
  await seen(target, (logs) => {
    const entries = logs.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'))
    match = entries.map((line) => JSON.parse(line) as Record<string, unknown>).find(wanted)
    return match !== undefined
  })
  return match!
}
