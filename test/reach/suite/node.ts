/** The steps of `svc/node`: a library behind node:http, with a body and a stream. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type DevLibrary, dataIn, type MinimalLibrary, settings } from './minimal.ts'
import { type Step, same } from './runner.ts'

/** The part of `svc/node` that the steps use. */
export interface NodeLibrary {
  toNodeHandler(runtime: unknown): (request: IncomingMessage, response: ServerResponse) => void
}

/** The steps, in their order. */
export function nodeSteps(
  { toNodeHandler }: NodeLibrary,
  { createRuntime }: MinimalLibrary,
  { createDevToken }: DevLibrary,
): Step[] {
  const runtime = createRuntime({ settings, log: () => {} })
  let server: Server
  let origin = ''
  const headers: Record<string, string> = { 'content-type': 'application/json' }
  const post = (path: string, body: unknown): Promise<Response> =>
    fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return [
    {
      name: 'listens',
      work: async () => {
        server = createServer(toNodeHandler(runtime))
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
        origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
      },
    },
    { name: 'answers', work: async () => same('status', (await fetch(`${origin}/health`)).status, 200) },
    {
      name: 'accepts a body',
      work: async () => {
        headers['authorization'] = `Bearer ${await createDevToken({ settings, sub: 'ada' })}`
        same('status', (await post('/api/svc/runs', { run_id: 'r' })).status, 201)
      },
    },
    {
      name: 'sends a stream piece by piece',
      work: async () => {
        const answer = await fetch(`${origin}/api/svc/runs/r/stream`, { headers })
        const events = [
          { type: 'RUN_STARTED', threadId: 't', runId: 'r' },
          { type: 'RUN_FINISHED', threadId: 't', runId: 'r' },
        ]
        for (const event of events) same('appended', (await post('/api/svc/runs/r/events', event)).status, 200)
        same('events', dataIn(await answer.text()), events)
      },
    },
    {
      name: 'stops',
      work: async () => {
        await runtime.close()
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      },
    },
  ]
}
