/** `svc/ag-ui`: runs and threads for the standard client, through lost connections, cancels and runs of others. */
import { type AbstractAgent, EventType, HttpAgent, type Message } from '@ag-ui/client'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ServiceError, SvcAgent, type SvcAgentConfig } from '../../../plugins/client/ag-ui/index.ts'
import type { AgUiEvent } from '../../../plugins/realtime/runs/event-shape.ts'
import { countOf } from '../../support/count.ts'
import { waitFor } from '../../support/wait-for.ts'
import { withoutAddedOwners } from '../realtime/agui-judge.ts'
import { type Rig, startRig } from '../realtime/rig.ts'
import { wholeRun } from '../realtime/run-events.ts'

const test = suite('client: svc/ag-ui')
const ann = 'acme/ann'

const start = (threadId: string, runId: string): AgUiEvent => ({ type: 'RUN_STARTED', threadId, runId })
const finish = (threadId: string, runId: string): AgUiEvent => ({ type: 'RUN_FINISHED', threadId, runId })
const message = (messageId: string, ...deltas: string[]): readonly AgUiEvent[] => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  ...deltas.map((delta): AgUiEvent => ({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta })),
  { type: 'TEXT_MESSAGE_END', messageId },
]

/** The service with a stand-in for an agent: a call makes a run with what the agent says, and answers its stream. */
interface Service {
  readonly rig: Rig
  readonly fetch: typeof fetch
  /** Requests by method and path. */
  readonly requests: string[]
  /** Events of further calls, by the run's id. */
  says: (runId: string, threadId: string) => readonly AgUiEvent[]
  begin(runId: string, threadId: string, events: readonly AgUiEvent[]): Promise<void>
  append(runId: string, events: readonly AgUiEvent[]): Promise<void>
}

const rigs: Rig[] = []
test.after.each(async () => {
  for (const rig of rigs.splice(0)) await rig.stop()
})

async function serve(settings: Readonly<Record<string, unknown>> = {}): Promise<Service> {
  const rig = await startRig({ 'realtime.max_streams_per_identity': 1_000, ...settings })
  rigs.push(rig)
  const append = async (runId: string, body: readonly AgUiEvent[]): Promise<void> => {
    const answer = await rig.fetch(`/api/svc/runs/${runId}/events`, { as: ann, body })
    assert.is(answer.status, 200, await answer.clone().text())
  }
  const begin = async (run_id: string, thread_id: string, events: readonly AgUiEvent[]): Promise<void> => {
    const made = await rig.fetch('/api/svc/runs', { as: ann, body: { run_id, thread_id } })
    assert.ok([201, 409].includes(made.status), `${made.status}`)
    if (made.status === 201 && events.length > 0) await append(run_id, events)
  }
  const requests: string[] = []
  const service: Service = {
    ...{ rig, requests, begin, append },
    says: (runId, threadId) => [start(threadId, runId), ...message(`of-${runId}`, 'done'), finish(threadId, runId)],
    fetch: async (url, init) => {
      const { pathname, search } = new URL(String(url))
      const method = init?.method ?? 'GET'
      requests.push(`${method} ${pathname}`)
      const headers = init?.headers as Record<string, string>
      if (pathname === '/api/svc/agents/writer') {
        const { runId, threadId } = JSON.parse(String(init?.body)) as { runId: string; threadId: string }
        await begin(runId, threadId, service.says(runId, threadId))
        return throughSignal(await rig.fetch(`/api/svc/runs/${runId}/stream`, { as: ann }), init?.signal)
      }
      if (pathname.startsWith('/api/svc/agents/'))
        return Response.json({ error: { code: 'agent_not_found', message: '' } }, { status: 404 })
      const { authorization: _token, ...rest } = headers
      const answer = await rig.fetch(pathname + search, {
        as: ann,
        headers: rest,
        ...(method === 'POST' && { body: '' }),
      })
      return throughSignal(answer, init?.signal)
    },
  }
  return service
}

/** An answer whose body ends with the signal of its request, as that of `fetch` does. */
function throughSignal(answer: Response, signal: AbortSignal | null | undefined): Response {
  if (answer.body === null || !(answer.headers.get('content-type') ?? '').startsWith('text/event-stream')) return answer
  const body = answer.body.pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), signal ? { signal } : {})
  return new Response(body, { status: answer.status, headers: answer.headers })
}

/** Cuts the connection behind the given number of events, once for each number. */
function cutting(send: typeof fetch, cuts: readonly number[]): typeof fetch {
  let events = 0
  const left = [...cuts]
  return async (url, init) => {
    const answer = await send(url, init)
    if (answer.body === null || !(answer.headers.get('content-type') ?? '').startsWith('text/event-stream'))
      return answer
    let text = ''
    const decoder = new TextDecoder()
    const body = answer.body.pipeThrough(
      new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          text += decoder.decode(chunk, { stream: true })
          const frames = text.split(/(?<=\n\n)/)
          text = frames.at(-1)!.endsWith('\n\n') ? '' : frames.pop()!
          for (const frame of frames) {
            if (frame.includes('data: ') && events++ === left[0]) {
              left.shift()
              // Half of the frame arrives, too.
              controller.enqueue(new TextEncoder().encode(frame.slice(0, frame.length / 2)))
              controller.error(new TypeError('the connection is cut'))
              return
            }
            controller.enqueue(new TextEncoder().encode(frame))
          }
        },
      }),
    )
    return new Response(body, { status: answer.status, headers: answer.headers })
  }
}

function agentOf(service: Service, config: Partial<SvcAgentConfig> = {}): SvcAgent {
  return new SvcAgent({
    ...{ baseUrl: 'http://svc.test/', agent: 'writer', token: 'a token', threadId: 't' },
    ...{ fetch: service.fetch, schedule: { firstMs: 1, maxMs: 1 }, ...config },
  })
}

const held = ({ messages, state }: AbstractAgent): { messages: unknown; state: unknown } =>
  JSON.parse(JSON.stringify({ messages, state })) as { messages: unknown; state: unknown }

const contentOf = (messages: readonly Message[]): readonly unknown[] => messages.map(({ content }) => content)

test('cut at every event, a run leaves the messages and the state of one that was never cut', async () => {
  const service = await serve()
  let count = 0
  await fc.assert(
    fc.asyncProperty(wholeRun, async (events) => {
      service.says = () => events
      const whole = agentOf(service)
      const runId = `cut-${count++}`
      await whole.runAgent({ runId })
      for (let cut = 0; cut < events.length; cut++) {
        const agent = agentOf(service, { fetch: cutting(service.fetch, [cut, cut + 2]) })
        await agent.runAgent({ runId })
        assert.equal(held(agent), held(whole), `cut at ${cut}`)
      }
    }),
    { numRuns: countOf({ quick: 4, deep: 60 }), endOnFailure: true },
  )
})

test('cut at every event, a connection has the messages and the state of one that was never cut', async () => {
  const service = await serve()
  let count = 0
  await fc.assert(
    fc.asyncProperty(wholeRun, wholeRun, fc.nat(), async (first, second, at) => {
      const threadId = `follow-${count++}`
      const begun = 1 + (at % (first.length - 1))
      const total = first.length - begun + second.length
      const begins: number[] = []
      const ends: number[] = []
      const connect = (cuts: readonly number[], index: number): { agent: SvcAgent; done: Promise<unknown> } => {
        begins.push(0)
        ends.push(0)
        const agent = agentOf(service, { threadId, fetch: cutting(service.fetch, cuts) })
        const onEnd = (): void => void ends[index]!++
        const onBegin = (): void => void begins[index]!++
        const done = agent.connectAgent(
          {},
          { onRunStartedEvent: onBegin, onRunFinishedEvent: onEnd, onRunErrorEvent: onEnd },
        )
        return { agent, done }
      }
      await service.begin(`${threadId}-1`, threadId, first.slice(0, begun))
      const agents = [[], ...Array.from({ length: total + 3 }, (_, cut) => [cut, cut + 3])].map(connect)
      // Those that are cut inside the prelude get it again.
      await waitFor('all to join', () => begins.every((count) => count === 1))
      await service.append(`${threadId}-1`, first.slice(begun))
      await service.begin(`${threadId}-2`, threadId, second)
      await waitFor(`all ends: ${ends}`, () => ends.every((count) => count === 2))
      const [whole, ...cut] = agents
      for (const { agent, done } of agents) {
        await agent.detachActiveRun()
        await done
      }
      for (const [index, { agent }] of cut.entries())
        assert.equal(withoutAddedOwners(held(agent), held(whole!.agent)), held(whole!.agent), `cut at ${index}`)
    }),
    { numRuns: countOf({ quick: 3, deep: 40 }), endOnFailure: true },
  )
})

test('the first request that is lost is sent again with the same bytes, and joins its run', async () => {
  const service = await serve()
  const bodies: unknown[] = []
  const agent = agentOf(service, {
    fetch: async (url, init) => {
      const answer = await service.fetch(url, init)
      if (bodies.push(init?.body) === 1) throw new TypeError('the answer is lost')
      return answer
    },
  })
  const { newMessages } = await agent.runAgent({ runId: 'lost' })
  assert.equal(contentOf(newMessages), ['done'])
  assert.is(bodies.length, 2)
  assert.is(bodies[0], bodies[1])
})

test('a refusal ends a run with its status and code', async () => {
  const service = await serve()
  const agent = agentOf(service, { agent: 'nobody' })
  const failures: unknown[] = []
  const log = console.error
  console.error = () => {}
  try {
    await agent.runAgent({}, { onRunFailed: ({ error }) => void failures.push(error) })
    assert.unreachable()
  } catch (error) {
    assert.instance(error, ServiceError)
    const { status, code } = error as ServiceError
    assert.equal([status, code], [404, 'agent_not_found'])
  } finally {
    console.error = log
  }
  assert.is(failures.length, 1)
  assert.not.ok(agent.isRunning)
})

test('abortRun cancels the run at the service, and what waits for it ends without an error', async () => {
  const service = await serve()
  service.says = (runId, threadId) => [start(threadId, runId), ...message('m', 'one').slice(0, 2)]
  const agent = agentOf(service)
  const codes: unknown[] = []
  const running = agent.runAgent({ runId: 'long' }, { onRunErrorEvent: ({ event }) => void codes.push(event.code) })
  await waitFor('the first word', () => contentOf(agent.messages)[0] === 'one')
  agent.abortRun()
  agent.abortRun()
  await running
  assert.equal(codes, ['svc.run.cancelled'])
  const record = (await (await service.rig.fetch('/api/svc/runs/long', { as: ann })).json()) as { status: string }
  assert.is(record.status, 'cancelled')
  agent.abortRun()
})

test('abortRun ends what waits also while the service is away', async () => {
  const service = await serve()
  const agent = agentOf(service, { fetch: async () => Promise.reject(new TypeError('away')) })
  const codes: unknown[] = []
  const running = agent.runAgent({}, { onRunErrorEvent: ({ event }) => void codes.push(event.code) })
  await waitFor('the run to begin', () => agent.isRunning)
  await new Promise((resolve) => setImmediate(resolve))
  agent.abortRun()
  await running
  assert.equal(codes, ['svc.run.cancelled'])
})

test('connect joins the newest run in its middle, and abortRun cancels a run that another window has called', async () => {
  const service = await serve()
  await service.begin('theirs', 't', [start('t', 'theirs'), ...message('m', 'one').slice(0, 2)])
  const agent = agentOf(service)
  const done = agent.connectAgent()
  await waitFor('the message', () => contentOf(agent.messages)[0] === 'one')
  assert.ok(agent.isRunning)
  agent.abortRun()
  await waitFor('the end', () => !agent.isRunning)
  await service.begin('next', 't', service.says('next', 't'))
  await waitFor('the next run', () => contentOf(agent.messages).includes('done'))
  await agent.detachActiveRun()
  assert.equal(contentOf((await done).newMessages), ['one', 'done'])
  const record = (await (await service.rig.fetch('/api/svc/runs/theirs', { as: ann })).json()) as { status: string }
  assert.is(record.status, 'cancelled')
})

test('a run while connected detaches, runs, and connects again behind it', async () => {
  const service = await serve()
  const agent = agentOf(service)
  const begun: string[] = []
  const done = agent.connectAgent({}, { onRunStartedEvent: ({ event }) => void begun.push(event.runId) })
  await waitFor('the stream', () => service.requests.includes('GET /api/svc/threads/t/stream'))
  await service.begin('theirs', 't', service.says('theirs', 't'))
  await waitFor('the first run', () => agent.messages.length === 1 && !agent.isRunning)
  const { newMessages } = await agent.runAgent({ runId: 'own' })
  assert.equal(
    newMessages.map(({ id }) => id),
    ['of-own'],
  )
  await service.begin('later', 't', service.says('later', 't'))
  await waitFor('the run behind it', () => agent.messages.length === 3)
  assert.equal(
    agent.messages.map(({ id }) => id),
    ['of-theirs', 'of-own', 'of-later'],
  )
  assert.equal(begun, ['theirs', 'later'], 'the own run is not read a second time')
  await agent.detachActiveRun()
  await done
})

test('connect, detach and connect again at once, as React does in its strict mode, leaves one connection', async () => {
  const service = await serve()
  const agent = agentOf(service)
  const first = agent.connectAgent()
  const detached = agent.detachActiveRun()
  const second = agent.connectAgent()
  await Promise.all([first, detached])
  await waitFor('the stream', () => service.requests.length > 0)
  await service.begin('theirs', 't', service.says('theirs', 't'))
  await waitFor('the run', () => contentOf(agent.messages).includes('done'))
  assert.equal(service.requests, ['GET /api/svc/threads/t/stream'])
  await agent.detachActiveRun()
  await second
})

test('with follow: false connect ends with the newest run, and at once where there is none', async () => {
  const service = await serve()
  const agent = agentOf(service, { follow: false })
  assert.equal((await agent.connectAgent()).newMessages, [])
  await service.begin('one', 't', service.says('one', 't'))
  await service.begin('two', 't', [start('t', 'two'), ...message('m', 'two')])
  const done = agent.connectAgent()
  await waitFor('the message', () => agent.messages.length === 1)
  await service.append('two', [finish('t', 'two')])
  assert.equal(contentOf((await done).newMessages), ['two'])
})

test('where the history is lost the thread goes on: the open run ends with svc.stream.gap, and the newest one is joined', async () => {
  const service = await serve({ 'realtime.max_finished_runs': 1 })
  await service.begin('one', 't', [start('t', 'one'), ...message('m', 'one').slice(0, 2)])
  let cut: (() => void) | undefined
  let isAway = false
  const agent = agentOf(service, {
    fetch: async (url, init) => {
      if (isAway) throw new TypeError('away')
      const gone = new AbortController()
      cut = () => gone.abort(new TypeError('the connection is cut'))
      return service.fetch(url, { ...init, signal: AbortSignal.any([init!.signal!, gone.signal]) })
    },
  })
  const codes: unknown[] = []
  const done = agent.connectAgent({}, { onRunErrorEvent: ({ event }) => void codes.push(event.code) })
  await waitFor('the message', () => contentOf(agent.messages)[0] === 'one')
  isAway = true
  cut?.()
  await service.append('one', [...message('m', 'one').slice(2), finish('t', 'one')])
  await service.begin('two', 't', service.says('two', 't'))
  isAway = false
  await waitFor('the newest run', () => contentOf(agent.messages).includes('done') && !agent.isRunning)
  assert.equal(codes, ['svc.stream.gap'])
  await agent.detachActiveRun()
  await done
})

test('a clone is an agent of its own', async () => {
  const service = await serve()
  const agent = agentOf(service, { initialMessages: [{ id: 'u', role: 'user', content: 'hello' }] })
  const clone = agent.clone()
  assert.instance(clone, SvcAgent)
  assert.is(clone.threadId, 't')
  await clone.runAgent({ runId: 'of-clone' })
  assert.equal(contentOf(clone.messages), ['hello', 'done'])
  assert.equal(contentOf(agent.messages), ['hello'])
  const events: string[] = []
  await new Promise<void>((resolve, reject) => {
    agent
      .run({ threadId: 't', runId: 'of-agent', messages: [], tools: [], context: [] })
      .subscribe({ next: ({ type }) => void events.push(type), complete: resolve, error: reject })
  })
  assert.is(events[0], EventType.RUN_STARTED)
  assert.is(events.at(-1), EventType.RUN_FINISHED)
})

test('who unsubscribes from the events of a thread closes the connection', async () => {
  const service = await serve()
  let signal: AbortSignal | undefined
  const agent = agentOf(service, {
    fetch: (url, init) => {
      signal = init!.signal!
      return service.fetch(url, init)
    },
  })
  const input = { threadId: 't', runId: 'none', messages: [], tools: [], context: [] }
  const subscription = agent.connect(input).subscribe({})
  await waitFor('the request', () => signal !== undefined)
  subscription.unsubscribe()
  assert.ok(signal?.aborted)
})

test('a stock client of the same service has the same conversation', async () => {
  const service = await serve()
  const stock = new HttpAgent({
    url: 'http://svc.test/api/svc/agents/writer',
    threadId: 't',
    fetch: service.fetch as HttpAgent['fetch'],
  })
  await stock.runAgent({ runId: 'same' })
  const agent = agentOf(service)
  await agent.runAgent({ runId: 'same' })
  assert.equal(held(agent), held(stock))
})

test.run()
