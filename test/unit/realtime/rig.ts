import type { Capabilities, CapabilityName, Plugin } from '../../../core/declare/plugin.ts'
import { toFetch } from '../../../core/http/fetch.ts'
import type { Identity } from '../../../core/http/identity.ts'
import type { Kernel } from '../../../core/kernel/kernel.ts'
import { feature as bridge } from '../../../plugins/realtime/bridge/feature.ts'
import type { Live } from '../../../plugins/realtime/live/api.ts'
import { feature as live } from '../../../plugins/realtime/live/feature.ts'
import type { Runs } from '../../../plugins/realtime/runs/api.ts'
import { feature as runs } from '../../../plugins/realtime/runs/feature.ts'
import { feature as streams } from '../../../plugins/realtime/streams/feature.ts'
import { compose, keepLog, make } from '../../support/kernels.ts'
import { nodes } from '../../support/nodes.ts'
import { eventsIn, type StreamEvent } from './fakes.ts'

/**
 * A service with the realtime plugins behind a guard that trusts the header `x-as: tenant/user scope …`. If there are
 * several nodes, each request goes to the next one.
 */
export interface Rig {
  readonly messages: () => string[]
  fetch(path: string, options?: Ask): Promise<Response>
  /** Opens a stream and reads its events. */
  listen(path: string, options?: Ask): Promise<Listening>
  capability<N extends CapabilityName>(name: N): Capabilities[N]
  /** The runs. If there are several nodes, each call goes to the next one. */
  readonly runs: Runs
  stop(): Promise<void>
}

export interface Ask {
  /** `tenant/user scope …`; anonymous if undefined. */
  readonly as?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** An open stream. */
export interface Listening {
  readonly response: Response
  readonly text: () => string
  readonly events: () => StreamEvent[]
  /** Waits for `count` events, or for the end. */
  take(count: number): Promise<StreamEvent[]>
  /** Waits for the end of the stream. */
  readonly ended: Promise<void>
  close(): void
}

/** The maximum number of retries for a service of several nodes, and the pause before a retry, in milliseconds. */
const [MAX_RETRIES, RETRY_PAUSE_MS] = [5, 200]

/** The plugins under test. */
const everything: readonly Plugin[] = [streams, live, runs, bridge]

export async function startRig(given: Readonly<Record<string, unknown>> = {}): Promise<Rig> {
  const log = keepLog()
  const guard = make('guard', {
    setup: (ctx) => ctx.guard('runtime', (request) => identityOf(request.header('x-as'))),
  })
  const { count, plugins, settings } = nodes()
  const all = nest({ ...(await settings()), ...given })
  const kernels = Array.from({ length: count }, () => compose([...everything, ...plugins, guard], { given: all, log }))
  await Promise.all(kernels.map((kernel) => kernel.start()))
  // The service's own timers do not keep a process alive.
  const awake = setInterval(() => undefined, 1_000)
  const handlers = kernels.map((kernel) => toFetch(kernel.surface('runtime'), () => performance.now()))
  let turn = 0
  const next = <T>(ofNodes: readonly T[]): T => ofNodes[turn++ % count]!
  const askOnce = (path: string, { as, body, headers }: Ask = {}, signal?: AbortSignal): Promise<Response> =>
    next(handlers)(
      new Request(`http://svc.test${path}`, {
        headers: {
          ...(as !== undefined && { 'x-as': as }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) }),
        ...(signal !== undefined && { signal }),
      }),
    )
  let retries = 0
  /**
   * One of several nodes may refuse with 503, and has then done nothing, so the request is sent again, as a client
   * does.
   */
  const ask = async (...request: Parameters<typeof askOnce>): Promise<Response> => {
    for (;;) {
      const answer = await askOnce(...request)
      if (count === 1 || answer.status !== 503 || retries++ === MAX_RETRIES) return answer
      console.error(`# sent again: ${request[0]} was refused for the moment: ${await answer.text()}`)
      await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSE_MS))
    }
  }
  return {
    messages: log.messages,
    fetch: ask,
    listen: async (path, options) => {
      const gone = new AbortController()
      return listening(await ask(path, options, gone.signal), gone)
    },
    capability: <N extends CapabilityName>(name: N) => {
      const one = next(kernels).capability(name)
      return name === 'Live' ? (onEvery(one as Live, kernels) as Capabilities[N]) : one
    },
    get runs() {
      return next(kernels).capability('Runs')
    },
    stop: async () => {
      clearInterval(awake)
      await Promise.all(kernels.map((kernel) => kernel.stop()))
    },
  }
}

/** Enrolls topics on every node, as a plugin on each node does, and publishes on one node. */
function onEvery(one: Live, kernels: readonly Kernel[]): Live {
  return {
    get topics() {
      return one.topics
    },
    hears: (tenant) => one.hears(tenant),
    publish: (audience, event) => one.publish(audience, event),
    enroll: (...topic) => {
      for (const kernel of kernels) kernel.capability('Live').enroll(...topic)
    },
  }
}

/** Reads a stream's response. */
function listening(response: Response, gone: AbortController): Listening {
  let text = ''
  const waiting = new Set<() => void>()
  const events = (): StreamEvent[] => eventsIn(text.slice(0, text.lastIndexOf('\n\n') + 1))
  let over = false
  const read = async (): Promise<void> => {
    const decoder = new TextDecoder()
    try {
      for await (const chunk of response.body ?? []) {
        text += decoder.decode(chunk as Uint8Array, { stream: true })
        for (const wake of waiting) wake()
      }
    } catch {
      // The test has closed the stream.
    }
    over = true
    for (const wake of waiting) wake()
  }
  const ended = read()
  return {
    response,
    text: () => text,
    events,
    ended,
    take: (count) =>
      new Promise((resolve) => {
        const look = (): void => {
          if (events().length < count && !over) return
          waiting.delete(look)
          resolve(events())
        }
        waiting.add(look)
        look()
      }),
    close: () => gone.abort(),
  }
}

function identityOf(as: string | undefined): Identity {
  if (as === undefined) return { kind: 'anonymous', user: null, tenant: null, scopes: [], credential: null }
  const [who = '', ...scopes] = as.split(' ')
  const [tenant = '', user = ''] = who.split('/')
  return { kind: 'user', user, tenant, scopes, credential: { id: who, expiresAtMs: null } }
}

function nest(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const nested: Record<string, Record<string, unknown>> = {}
  for (const [key, value] of Object.entries(given)) {
    const [group = '', name = ''] = key.split(/\.(.*)/s)
    nested[group] = { ...nested[group], [name]: value }
  }
  return nested
}
