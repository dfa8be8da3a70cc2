/**
 * The realtime plugins with a transport in a separate process. The first argument is the settings as JSON. The process
 * communicates with its parent by IPC.
 */
import { readdirSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { feature as bridge } from '../../../plugins/realtime/bridge/feature.ts'
import type { EntityEvent } from '../../../plugins/realtime/live/api.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import { feature as runs } from '../../../plugins/realtime/runs/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { feature as nodeHttp } from '../../../plugins/transport/node-http/feature.ts'
import { feature as uws } from '../../../plugins/transport/uws/feature.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'

/** A message of the parent. */
export type Order =
  | { readonly do: 'report' }
  | { readonly do: 'publish'; readonly tenant: string; readonly events: readonly EntityEvent[] }
  | { readonly do: 'publish-many'; readonly tenant: string; readonly event: EntityEvent; readonly count: number }
  | { readonly do: 'append'; readonly user: string; readonly run: string; readonly events: readonly unknown[] }
  | { readonly do: 'stop' }

/** The answer to `report`. */
export interface Report {
  /** Open event streams, file descriptors, and bytes of JavaScript memory after a collection. */
  readonly streams: number
  readonly descriptors: number
  readonly bytes: number
}

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const log = keepLog()
/**
 * A request with `?as=user` or `x-as: user` is a request of that user of tenant acme. The query parameter exists
 * because browsers cannot set headers on EventSource.
 */
const guard = make('guard', {
  setup: (ctx) =>
    ctx.guard('runtime', (request) => {
      const user = request.header('x-as') ?? request.queryParam('as') ?? 'ann'
      return { kind: 'user', user, tenant: 'acme', scopes: ['live:publish'], credential: null }
    }),
})
const settings = JSON.parse(process.argv[2] ?? '{}') as Record<string, unknown>
const page = process.argv[3]
const pages = make('pages', {
  routes: [
    { surface: 'runtime', method: 'GET', path: '/page', summary: 'A page of the same origin.' },
    { surface: 'runtime', method: 'GET', path: '/client.js', summary: 'The client library.' },
  ],
  setup(ctx) {
    const [html, script] = this.routes!
    ctx.route(html!, () => ({
      status: 200,
      headers: { 'content-type': 'text/html' },
      body: '<!doctype html><title>t</title>',
    }))
    ctx.route(script!, () => ({ status: 200, headers: { 'content-type': 'text/javascript' }, body: page ?? '' }))
  },
})
const kernel = compose([streams, live, runs, bridge, nodeHttp, uws, guard, pages], { given: settings, log })
await kernel.start()
const address = log.records.find(({ message }) => message === 'Listening.')?.fields?.['address']
process.send!({ address })

process.on('message', (order: Order) => {
  if (order.do === 'stop') void stop()
  else if (order.do === 'publish') {
    for (const event of order.events) kernel.capability('Live').publish({ tenant: order.tenant }, event)
  } else if (order.do === 'publish-many') {
    const publish = (left: number): void => {
      for (let i = 0; i < 100 && i < left; i++) kernel.capability('Live').publish({ tenant: order.tenant }, order.event)
      if (left > 100) setImmediate(publish, left - 100)
      else process.send!({ done: true })
    }
    publish(order.count)
  } else if (order.do === 'append') {
    kernel.capability('Runs').append({ user_id: order.user, tenant_id: 'acme' }, order.run, order.events)
  } else {
    void report()
  }
})

async function report(): Promise<void> {
  // The memory of array buffers is released one turn after their collection.
  for (let i = 0; i < 3; i++) {
    collect()
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const { heapUsed, external } = process.memoryUsage()
  const answer: Report = {
    streams: kernel.capability('Streams').size,
    descriptors: readdirSync('/proc/self/fd').length,
    bytes: heapUsed + external,
  }
  process.send!(answer)
}

async function stop(): Promise<void> {
  await kernel.stop()
  process.disconnect()
}
process.once('SIGTERM', () => void stop())
