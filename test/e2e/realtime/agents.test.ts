/**
 * Agents behind runs, in the shipped program: a stock client, readers that come and go, agents that misbehave, and a
 * service that is killed.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { HttpAgent } from '@ag-ui/client'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { CONTRACT_SECRET, mint } from '../../../plugins/auth/contract-tokens.ts'
import { distDir } from '../../../scripts/build/paths.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { until } from '../../../scripts/until.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { readUntil } from '../../support/read-until.ts'
import { unless } from '../../support/skip.ts'
import { waitFor } from '../../support/wait-for.ts'
import { type Behaviour, begin, type CallIds, frame, said, say, startAgent, type TestAgent } from './agent-server.ts'

const program = join(distDir('server-full'), 'svc.mjs')
const unbuilt = existsSync(program) ? undefined : `${program} has not been built`
const SECRET = 'the secret of the agent'

const test = suite('agents behind runs')
const it = unless(test, unbuilt)

/** What the present test has started. */
const rigs: Rig[] = []
test.after.each(async () => {
  for (const rig of rigs.splice(0)) await rig.stop()
})

interface Rig {
  readonly agent: TestAgent
  readonly base: string
  readonly token: string
  readonly child: () => Child
  restart(): Promise<void>
  stop(): Promise<void>
  call(
    name: string,
    runId: string,
    init?: { headers?: Record<string, string>; signal?: AbortSignal; state?: unknown },
  ): Promise<Response>
  record(runId: string): Promise<{ status: string; last_seq: number }>
  events(runId: string): Promise<readonly Record<string, unknown>[]>
}

/** Starts the program with an agent for each behaviour, of the same name. */
async function start(
  behaviours: Readonly<Record<string, Behaviour>>,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Rig> {
  const agent = await startAgent(behaviours)
  const port = await freePort()
  const folder = folderWith()
  const agents = Object.fromEntries(
    Object.keys(behaviours).map((name) => [
      name,
      { url: `${agent.url}/${name}`, headers: { authorization: `Bearer ${SECRET}` }, ...(more[name] as object) },
    ]),
  )
  const begun = async (): Promise<Child> => {
    const child = startChild(process.execPath, {
      args: ['--disable-warning=ExperimentalWarning', program, '--mode', 'runtime'],
      env: {
        ...{ HOME: folder, XDG_RUNTIME_DIR: folder, SVC_STORAGE__DIR: join(folder, 'state') },
        ...{ SVC_SERVER__PORT: String(port), SVC_SECURITY__JWT_SECRET: CONTRACT_SECRET },
        SVC_REALTIME__AGENTS: JSON.stringify(agents),
        SVC_REALTIME__ORPHAN_AFTER_MS: '500',
        ...(more['environment'] as Record<string, string>),
      },
    })
    await child.waitFor(new RegExp(`:${port}`))
    return child
  }
  let child = await begun()
  const base = `http://127.0.0.1:${port}`
  const token = await mint({ sub: 'ann', tenant_id: 'acme', exp: Math.floor(Date.now() / 1000) + 3_600 })
  const authorization = `Bearer ${token}`
  const get = (path: string): Promise<Response> => fetch(`${base}${path}`, { headers: { authorization } })
  const rig: Rig = {
    ...{ agent, base, token, child: () => child },
    restart: async () => {
      await child.stop('SIGKILL')
      child = await begun()
    },
    stop: async () => {
      await child.stop()
      await agent.close()
      assert.not.match(child.out + child.err, SECRET)
    },
    call: (name, runId, { headers, signal, state = { n: 1 } } = {}) =>
      fetch(`${base}/api/svc/agents/${name}`, {
        method: 'POST',
        headers: { authorization, 'content-type': 'application/json', accept: 'text/event-stream', ...headers },
        body: JSON.stringify({
          ...{ runId, threadId: 't', tools: [], context: [], forwardedProps: {}, state },
          messages: [{ id: 'u', role: 'user', content: 'hello' }],
        }),
        signal: signal ?? null,
      }),
    record: async (runId) =>
      (await get(`/api/svc/runs/${runId}`)).json() as Promise<{ status: string; last_seq: number }>,
    events: async (runId) => eventsOf(await (await get(`/api/svc/runs/${runId}/stream`)).text()),
  }
  rigs.push(rig)
  return rig
}

const eventsOf = (text: string): readonly Record<string, unknown>[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, data]) => JSON.parse(data!) as Record<string, unknown>)

const typesOf = (events: readonly Record<string, unknown>[]): readonly unknown[] => events.map(({ type }) => type)

/** An agent that says one word after another, and waits for `next` before each. */
function wordByWord(next: () => Promise<void>, words: readonly string[]): Behaviour {
  return async (response, ids) => {
    begin(response)
    const [started, opened, , closed, finished] = said(ids, '')
    response.write(frame(started!) + frame(opened!))
    for (const delta of words) {
      await next()
      response.write(frame({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta }))
    }
    response.end(frame(closed!) + frame(finished!))
  }
}

/** A gate that lets one pass at a time. */
function createGate(): { pass(): Promise<void>; open(): void } {
  const waiting: (() => void)[] = []
  let opened = 0
  return {
    pass: () =>
      new Promise((resolve) => {
        if (opened > 0) {
          opened--
          resolve()
        } else waiting.push(resolve)
      }),
    open: () => {
      const next = waiting.shift()
      if (next === undefined) opened++
      else next()
    },
  }
}

it('a stock HttpAgent that points at the service has the same conversation as with the agent itself', async () => {
  const rig = await start({
    plain: (response, ids) => say(response, said(ids, 'hello')),
  })
  const talk = async (url: string, headers: Record<string, string>) => {
    const agent = new HttpAgent({
      url,
      headers,
      threadId: 't',
      initialMessages: [{ id: 'u', role: 'user', content: 'hi' }],
      initialState: { n: 1 },
    })
    await agent.runAgent({ runId: `${url.length}` })
    return [agent.messages, agent.state]
  }
  const direct = await talk(`${rig.agent.url}/plain`, {})
  const behind = await talk(`${rig.base}/api/svc/agents/plain`, { authorization: `Bearer ${rig.token}` })
  assert.equal(behind, direct)
  const { headers, body } = rig.agent.requests[1]!
  assert.is(headers.authorization, `Bearer ${SECRET}`)
  assert.equal(
    [headers['svc-user'], headers['svc-tenant'], headers['svc-run'], headers['accept-encoding']],
    ['ann', 'acme', (JSON.parse(body) as CallIds).runId, 'identity'],
  )
  assert.match(String(headers['traceparent']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
})

it('a caller that goes away ends nothing: the run goes on, and others join it from its first event', async () => {
  const gate = createGate()
  const rig = await start({ slow: wordByWord(gate.pass, ['one ', 'two ', 'three ']) })
  const leaving = new AbortController()
  const first = await rig.call('slow', 'kept', { signal: leaving.signal })
  const reader = first.body!.getReader()
  gate.open()
  await readUntil(reader, (text) => text.includes('one '))
  leaving.abort()
  await reader.read().catch(() => undefined)
  gate.open()
  await waitFor('the second word is there', async () => (await rig.record('kept')).last_seq === 4)
  assert.not.ok(rig.agent.requests[0]!.isGone(), 'the agent goes on')
  const appended = await fetch(`${rig.base}/api/svc/runs/kept/events`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'CUSTOM', name: 'x', value: 1 }),
  })
  assert.is(appended.status, 409, 'only the agent appends while it is called')
  const again = await rig.call('slow', 'kept')
  assert.is(again.headers.get('svc-run-joined'), 'true')
  assert.is(rig.agent.requests.length, 1)
  gate.open()
  const whole = eventsOf(await again.text())
  assert.is(whole.map(({ delta }) => delta ?? '').join(''), 'one two three ')
  assert.is(whole.at(-1)!['type'], 'RUN_FINISHED')
  assert.equal(await rig.events('kept'), whole)
  assert.is((await rig.record('kept')).status, 'finished')
})

it('the same request many times at once is one call, which all of them read', async () => {
  const gate = createGate()
  const rig = await start(
    { slow: wordByWord(gate.pass, ['one']) },
    { environment: { SVC_REALTIME__RUN_STORE: 'sqlite' } },
  )
  const answers = await Promise.all(Array.from({ length: 20 }, () => rig.call('slow', 'same')))
  assert.equal([...new Set(answers.map(({ status }) => status))], [200])
  const joined = answers.filter(({ headers }) => headers.get('svc-run-joined') === 'true')
  assert.is(joined.length, 19)
  gate.open()
  const texts = await Promise.all(answers.map((answer) => answer.text()))
  for (const text of texts) assert.equal(eventsOf(text), eventsOf(texts[0]!))
  assert.is(rig.agent.requests.length, 1)
})

/** What agents do wrong, with the code of the RUN_ERROR. */
const faults: Readonly<
  Record<
    string,
    { readonly does: Behaviour; readonly code: string; readonly keeps?: number; readonly settings?: object }
  >
> = {
  status: { code: 'svc.agent.unreachable', does: (response) => void response.writeHead(503).end('no') },
  redirect: {
    code: 'svc.agent.unreachable',
    does: (response) => void response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data' }).end(),
  },
  page: {
    code: 'svc.agent.not_an_event_stream',
    does: (response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
  },
  cut: {
    code: 'svc.agent.ended',
    keeps: 1,
    does: (response, ids) => {
      begin(response)
      response.end(said(ids, 'x').slice(0, 2).map(frame).join(''))
    },
  },
  broken: {
    code: 'svc.agent.unreachable',
    keeps: 1,
    does: (response, ids) => {
      begin(response)
      response.write(said(ids, 'x').slice(0, 2).map(frame).join(''), () => setImmediate(() => response.destroy()))
    },
  },
  garbage: {
    code: 'svc.agent.invalid_event',
    does: (response) => void begin(response).end('data: {oops\n\n'),
  },
  order: {
    code: 'svc.agent.invalid_event',
    does: (response) => say(response, [{ type: 'TEXT_MESSAGE_END', messageId: 'm' }]),
  },
  other: {
    code: 'svc.agent.invalid_event',
    does: (response) => say(response, [{ type: 'RUN_STARTED', threadId: 't', runId: 'another' }]),
  },
  silent: { code: 'svc.agent.idle', settings: { idle_ms: 300 }, does: (response) => begin(response) },
  endless: {
    code: 'svc.agent.limit',
    settings: { max_ms: 500 },
    does: (response) => {
      begin(response)
      const timer = setInterval(() => response.write(': still here\n\n'), 50)
      response.on('close', () => clearInterval(timer))
    },
  },
  huge: {
    code: 'svc.agent.limit',
    does: (response) => {
      begin(response)
      // One event of 200 MiB, in pieces.
      const piece = 'x'.repeat(1_048_576)
      let sent = 0
      const more = (): void => {
        while (sent++ < 200 && !response.destroyed) if (!response.write(piece)) return void response.once('drain', more)
      }
      response.write('data: "')
      more()
    },
  },
}

it('whatever an agent does, its run ends with a code that says what it was, and what it said before is kept', async () => {
  const behaviours = Object.fromEntries(Object.entries(faults).map(([name, { does }]) => [name, does]))
  const settings = Object.fromEntries(Object.entries(faults).map(([name, { settings = {} }]) => [name, settings]))
  const rig = await start(behaviours, { ...settings, environment: { SVC_REALTIME__RUN_MAX_BYTES: '262144' } })
  for (const [name, { code, keeps = 0 }] of Object.entries(faults)) {
    const events = eventsOf(await (await rig.call(name, name)).text())
    assert.is(events.at(-1)!['code'], code, `${name}: ${JSON.stringify(events.at(-1))}`)
    assert.is(events.length, 2 + keeps, name)
    assert.is((await rig.record(name)).status, 'failed', name)
    await waitFor(`the call of ${name} is over`, async () => rig.agent.requests.at(-1)!.isGone())
  }
  const metrics = await (
    await fetch(`${rig.base}/metrics`, { headers: { authorization: `Bearer ${rig.token}` } })
  ).text()
  assert.match(metrics, /svc_agent_calls_total\{agent="cut",end="svc\.agent\.ended"\} 1/)
  assert.match(metrics, /svc_agent_calls_active\{agent="cut"\} 0\n/)
})

it('members that are null and types that AG-UI 1.0 does not have are no fault, nor is a last event without a blank line', async () => {
  const rig = await start({
    loose: (response, ids) => {
      begin(response)
      const [, opened, ...rest] = said(ids, 'hello')
      const events = [{ ...opened, name: null, rawEvent: null }, { type: 'THINKING_START' }, ...rest]
      response.end(events.map(frame).join('').trimEnd())
    },
  })
  const events = eventsOf(await (await rig.call('loose', 'loose')).text())
  assert.equal(typesOf(events), [
    'RUN_STARTED',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ])
  assert.equal(events[1], { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' })
  await rig.child().stop()
  assert.not.match(rig.child().out + rig.child().err, 'A call of an agent failed')
})

it('a cancelled run ends at once, with the call; a run whose readers are gone is cancelled only if that was asked for', async () => {
  const rig = await start({
    waits: (response, ids) => void begin(response).write(frame(said(ids, '')[0]!)),
  })
  const reading = await rig.call('waits', 'ended')
  const cancel = (): Promise<Response> =>
    fetch(`${rig.base}/api/svc/runs/ended/cancel`, {
      method: 'POST',
      headers: { authorization: `Bearer ${rig.token}` },
    })
  const answer = await cancel()
  assert.equal([answer.status, ((await answer.json()) as { status: string }).status], [200, 'cancelled'])
  assert.is(eventsOf(await reading.text()).at(-1)!['code'], 'svc.run.cancelled')
  await until('the agent sees that its call has ended', async () => rig.agent.requests[0]!.isGone(), 60_000)
  assert.is((await cancel()).status, 200, 'an ended run stays as it is')

  const leaving = new AbortController()
  await rig.call('waits', 'left', { signal: leaving.signal, headers: { 'svc-on-disconnect': 'cancel' } })
  leaving.abort()
  await waitFor('the run is cancelled', async () => (await rig.record('left')).status === 'cancelled')
  await until('the agent sees that its call has ended', async () => rig.agent.requests[1]!.isGone(), 60_000)
})

it('a caller has a number of calls under way, and another caller is not held up by them', async () => {
  const rig = await start(
    { waits: (response) => begin(response) },
    { environment: { SVC_REALTIME__MAX_AGENT_CALLS_PER_IDENTITY: '2' } },
  )
  const json = { accept: 'application/json' }
  for (const [run, status] of [
    ['a', 202],
    ['b', 202],
    ['c', 429],
  ] as const)
    assert.is((await rig.call('waits', run, { headers: json })).status, status, run)
  const bob = await mint({ sub: 'bob', tenant_id: 'acme' })
  assert.is((await rig.call('waits', 'c', { headers: { ...json, authorization: `Bearer ${bob}` } })).status, 202)
  await fetch(`${rig.base}/api/svc/runs/a/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${rig.token}` },
  })
  await waitFor('a place is free', async () => (await rig.call('waits', 'd', { headers: json })).status === 202)
})

for (const seen of [0, 1, 2, 3])
  it(`a service that is killed when ${seen} of the events of an agent are there keeps them, and the run ends as orphaned`, async () => {
    const rig = await start(
      {
        slow: (response, ids) => {
          // Without an event not even the head of the answer comes.
          if (seen > 0) begin(response).write(said(ids, 'hello').slice(0, seen).map(frame).join(''))
        },
      },
      { environment: { SVC_REALTIME__RUN_STORE: 'sqlite', SVC_REALTIME__ORPHAN_AFTER_MS: '3600000' } },
    )
    const calling = rig.call('slow', 'killed')
    await waitFor('the agent is called', async () => rig.agent.requests.length === 1)
    // The agent's RUN_STARTED is that of the service.
    const last = Math.max(1, seen)
    await waitFor('its events are there', async () => (await rig.record('killed')).last_seq === last)
    await rig.restart()
    await calling.then((answer) => answer.text()).catch(() => undefined)
    await waitFor('the run has ended', async () => (await rig.record('killed')).status === 'failed')
    const events = await rig.events('killed')
    assert.equal(typesOf(events), [
      ...['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT'].slice(0, last),
      'RUN_ERROR',
    ])
    assert.is(events.at(-1)!['code'], 'svc.run.orphaned')
    // The same request reads that run, and calls nobody again.
    assert.equal(eventsOf(await (await rig.call('slow', 'killed')).text()), events)
    assert.is(rig.agent.requests.length, 1)
  })

it('the reader of a thread stays during a stop until the run of an agent has ended, and no longer', async () => {
  const gate = createGate()
  const rig = await start({ slow: wordByWord(gate.pass, ['one ']) })
  const caller = await rig.call('slow', 'last')
  const read = (path: string): Promise<Response> =>
    fetch(`${rig.base}/api/svc/${path}`, { headers: { authorization: `Bearer ${rig.token}` } })
  const [thread, empty] = await Promise.all([read('threads/t/stream'), read('threads/other/stream')])
  await waitFor('it is called', async () => rig.agent.requests.length === 1)
  const stopped = rig.child().stop()
  await empty.text()
  gate.open()
  const seen = eventsOf(await thread.text())
  assert.is(seen.at(-1)!['type'], 'RUN_FINISHED', JSON.stringify(seen.at(-1)))
  assert.is(eventsOf(await caller.text()).at(-1)!['type'], 'RUN_FINISHED')
  await stopped
  assert.not.match(rig.child().out, 'did not drain')
})

it('a stop waits for calls under way and ends those that outlast it as orphaned; their readers stay', async () => {
  const gate = createGate()
  const rig = await start(
    { slow: wordByWord(gate.pass, ['one ']), waits: (response) => begin(response) },
    { environment: { SVC_REALTIME__RUN_STORE: 'sqlite', SVC_SERVER__SHUTDOWN_GRACE_MS: '8000' } },
  )
  const callers = await Promise.all([rig.call('slow', 'short'), rig.call('waits', 'long')])
  const read = (path: string): Promise<Response> =>
    fetch(`${rig.base}/api/svc/${path}`, { headers: { authorization: `Bearer ${rig.token}` } })
  const [other, idle] = await Promise.all([read('runs/short/stream'), read('live/runs')])
  await waitFor('both are called', async () => rig.agent.requests.length === 2)
  const stopped = rig.child().stop()
  if (idle.status === 200) await idle.text()
  const isClosed = (): Promise<boolean> =>
    read('runs')
      .then(() => false)
      .catch(() => true)
  await waitFor('it stops to listen', isClosed)
  gate.open()
  const [short, long] = (await Promise.all(callers.map((caller) => caller.text()))).map(eventsOf)
  assert.is(short!.at(-1)!['type'], 'RUN_FINISHED')
  assert.equal(eventsOf(await other.text()), short)
  assert.is(long!.at(-1)!['code'], 'svc.run.orphaned')
  await stopped
  assert.not.match(rig.child().out, 'did not drain')
  await rig.restart()
  assert.is((await rig.record('short')).status, 'finished')
  assert.is((await rig.events('long')).at(-1)!['code'], 'svc.run.orphaned')
})

test.run()
