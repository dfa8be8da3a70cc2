/** The steps of `svc/client`, with answers from the steps instead of a service: routes, a run and the live stream. */
import { ok, type Step, same } from './runner.ts'

/** The part of the library that the steps use. */
export interface ClientLibrary {
  createClient(options: object): Client
}

interface Client {
  readonly api: {
    GET(path: string): Promise<{ ok: boolean; status: number; data?: unknown; error?: { code: string } }>
  }
  readonly live: { on(topic: string, listener: (event: unknown) => void): () => void }
  run(id: string, options: { onEvent(event: { type: string }): void }): { done: Promise<string>; close(): void }
}

interface Call {
  readonly url: string
  readonly headers: Record<string, string>
  readonly signal: AbortSignal | undefined
}

/** The steps, in their order. */
export function clientSteps({ createClient }: ClientLibrary): Step[] {
  const calls: Call[] = []
  /** Answers of the service, in the order of the calls. */
  const answers: (() => Response)[] = []
  const fetch = async (url: string, init: { headers: Record<string, string>; signal?: AbortSignal }) => {
    calls.push({ url, headers: init.headers, signal: init.signal })
    const next = answers.shift()
    if (next === undefined) throw new TypeError('no further answer')
    return next()
  }
  const schedule = { firstMs: 1, maxMs: 1 }
  const client = createClient({ baseUrl: 'http://svc.test', token: 'secret', fetch, share: false, schedule })
  const lastHeader = (name: string): string | undefined => calls.at(-1)?.headers[name]
  return [
    {
      name: 'calls a route with the token in a header',
      work: async () => {
        answers.push(() => Response.json({ runs: [] }))
        same('data', (await client.api.GET('/api/svc/runs')).data, { runs: [] })
        same('credential', lastHeader('authorization'), 'Bearer secret')
      },
    },
    {
      name: 'gives the code of a refusal',
      work: async () => {
        answers.push(() => Response.json({ error: { code: 'forbidden', message: '' } }, { status: 403 }))
        const { ok: isOk, status, error } = await client.api.GET('/api/svc/runs')
        same('refusal', [isOk, status, error?.code], [false, 403, 'forbidden'])
      },
    },
    {
      name: 'reports an answer that is not from the service',
      work: async () => {
        answers.push(() => new Response('<html>', { status: 502 }))
        same('code', (await client.api.GET('/api/svc/runs')).error?.code, 'unreadable_answer')
      },
    },
    {
      name: 'follows a run to its end: after a broken connection the client resumes after the last event',
      work: async () => {
        answers.push(() => stream('id: e-1\ndata: {"type":"RUN_STARTED"}\n\n'))
        answers.push(() => stream('id: e-2\ndata: {"type":"RUN_FINISHED"}\n\n'))
        const types: string[] = []
        const done = await client.run('r', { onEvent: ({ type }) => types.push(type) }).done
        same('events', [types, done], [['RUN_STARTED', 'RUN_FINISHED'], 'ended'])
        same('resumed after', lastHeader('last-event-id'), 'e-1')
      },
    },
    {
      name: 'receives events of the live stream by topic',
      work: async () => {
        answers.push(() => stream('data: {"topic":"a","identifier":"1","operation":"insert","data":1}\n\n', true))
        let stop = (): void => {}
        const event = await new Promise((resolve) => {
          stop = client.live.on('a', resolve)
        })
        same('event', event, { topic: 'a', identifier: '1', operation: 'insert', data: 1 })
        stop()
      },
    },
    {
      name: 'ends the connection with the last listener',
      work: () => ok('the request is aborted', calls.at(-1)?.signal?.aborted === true),
    },
  ]
}

/** An answer with events, which ends unless it is kept open. */
function stream(text: string, open = false): Response {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      if (!open) controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': 'text/event-stream; charset=utf-8' } })
}
