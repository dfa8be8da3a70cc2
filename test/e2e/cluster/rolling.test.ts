/**
 * Three nodes behind a balancer are restarted one after the other, and nodes are killed, while clients work. No client
 * gets an unexpected error.
 */
import { join } from 'node:path'
import { HttpAgent } from '@ag-ui/client'
import { connect as connectNats } from '@nats-io/transport-node'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Client, createClient } from '../../../plugins/client/index.ts'
import { RUNS } from '../../../plugins/cluster/nats/names.ts'
import { distDir } from '../../../scripts/build/paths.ts'
import { type LocalCluster, startCluster } from '../../../scripts/cluster/cluster.ts'
import { secret, tokenFor } from '../../conformance/caller.ts'
import { folderWith } from '../../support/folder.ts'
import { readUntil } from '../../support/read-until.ts'
import { testUnless } from '../../support/skip.ts'
import { checkCalls } from '../realtime/calls.ts'
import { furtherCalls, type Load, load } from './load.ts'
import { type OpenEngines, startOpenEngines } from './open-engines.ts'
import { noCluster, until } from './rig.ts'

const test = suite('cluster: rolling restart')
const it = (name: string, work: () => Promise<void>): void => testUnless(test, noCluster, name, work)

let cluster: LocalCluster<OpenEngines>
test.before(async () => {
  if (noCluster !== undefined) return
  cluster = await startCluster({
    engines: startOpenEngines,
    program: join(distDir('server-cluster'), 'svc.mjs'),
    folder: folderWith(),
    nodes: 3,
    environment: { SVC_REALTIME__TOPICS: 'todos', SVC_SECURITY__JWT_SECRET: secret },
  })
})
test.after(() => cluster?.stop())

/** The reason that a stream of `svc/client` reports when a node stops. Any other reason is an error. */
const PARTING = 'the connection ended'

/** A client that records every error. */
function connect(troubles: string[]): Client {
  const token = tokenFor({ user: 'ada', tenant: 'acme', scopes: ['live:publish'] })
  const client = createClient({ baseUrl: cluster.base, token, share: false, schedule: { firstMs: 20 } })
  client.live.onState((_, reason) => {
    if (reason !== undefined && reason.text !== PARTING && _ !== 'idle') troubles.push(`live: ${reason.text}`)
  })
  return client
}

/**
 * Restarts every node in turn, with further calls of the loads while it is away. Each restart waits until the balancer
 * knows that the previous node is ready.
 */
async function roll(loads: readonly Load[]): Promise<void> {
  for (const node of cluster.nodes) {
    assert.equal(await node.stop(), { code: 0, signal: null })
    await furtherCalls(loads)
    await node.start()
    await until('the balancer knows', async () => cluster.balancer.ready.size === 3, 60_000)
  }
}

it('the typed calls give the same results as on one node', () =>
  checkCalls({
    createClient,
    baseUrl: cluster.base,
    revocation: () => new Promise((resolve) => setTimeout(resolve, 1_000)),
  }))

it('keys, calls and entity streams work during a rolling restart', async () => {
  const troubles: string[] = []
  const client = connect(troubles)
  const made = await client.api.POST('/api/svc/auth/keys', { body: { name: 'rolling' } })
  assert.ok(made.ok)
  const byKey = createClient({ baseUrl: cluster.base, headers: { 'x-api-key': made.data.key }, share: false }).api
  const received: number[] = []
  const leave = client.live.on('todos', ({ identifier }) => received.push(Number(identifier)))
  await until('it listens', async () => client.live.state === 'open', 60_000)
  const loads = [
    load(async (n) => {
      const body = { identifier: String(n), operation: 'update' as const, data: null }
      const result = await client.api.POST('/api/live/{topic}', { path: { topic: 'todos' }, body })
      if (!result.ok) troubles.push(`publishing: ${result.status} ${result.error.code}`)
    }),
    load(async () => {
      const listed = await byKey.GET('/api/svc/auth/keys')
      if (!listed.ok) troubles.push(`a key: ${listed.status} ${listed.error.code}`)
    }),
    load(async () => {
      const token = await byKey.POST('/api/svc/auth/exchange')
      if (!token.ok) troubles.push(`an exchange: ${token.status} ${token.error.code}`)
    }),
  ]
  await roll(loads)
  const before = received.length
  await until('later events arrive', async () => received.length > before + 5, 60_000)
  await Promise.all(loads.map((one) => one.stop()))
  leave()
  assert.equal(troubles, [])
  assert.is(new Set(received).size, received.length, 'each once')
})

it('while all nodes restart, svc/client and the standard AG-UI client read a growing run without a gap', async () => {
  const troubles: string[] = []
  const client = connect(troubles)
  const path = { run_id: 'long' }
  const append = async (body: Readonly<Record<string, unknown>>): Promise<void> => {
    const result = await client.api.POST('/api/svc/runs/{run_id}/events', { path, body: body as { type: string } })
    if (!result.ok) troubles.push(`an append: ${result.status} ${result.error.code} ${result.error.message}`)
  }
  assert.ok((await client.api.POST('/api/svc/runs', { body: path })).ok)
  await append({ type: 'RUN_STARTED', threadId: 't', runId: 'long' })
  await append({ type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' })

  const ids: number[] = []
  const following = client.run('long', {
    onEvent: (_, id) => ids.push(Number(id?.split('-')[1])),
    onGap: () => troubles.push('svc/client: a gap'),
    onState: (state, reason) => {
      if (state === 'waiting' && reason?.text !== PARTING) troubles.push(`svc/client: ${reason?.text}`)
    },
  })
  const standard = readAsStandardClient('long', troubles)
  let text = ''
  const writing = load(async (n) => {
    text += `${n} `
    await append({ type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: `${n} ` })
  })
  await roll([writing])
  const written = await writing.stop()
  await append({ type: 'TEXT_MESSAGE_END', messageId: 'm' })
  await append({ type: 'RUN_FINISHED', threadId: 't', runId: 'long' })
  assert.is(await following.done, 'ended')
  const { messages, joins } = await standard
  assert.equal(troubles, [])
  assert.equal(
    ids,
    Array.from({ length: written + 4 }, (_, index) => index + 1),
  )
  assert.equal(messages, [{ id: 'm', role: 'assistant', content: text }])
  assert.ok(joins > 1, 'the stream was on a restarted node')
})

/** Reads a run to its end with the standard client. After each end of the stream the client reads the run again. */
async function readAsStandardClient(run: string, troubles: string[]): Promise<{ messages: unknown; joins: number }> {
  const headers = { authorization: `Bearer ${tokenFor({ user: 'ada', tenant: 'acme' })}` }
  const url = `${cluster.base}/api/svc/runs/${run}/stream?stream_mode=agui_spec`
  const agent = new HttpAgent({ url, fetch: (_, init) => fetch(url, { headers, signal: init.signal ?? null }) })
  let [over, joins] = [false, 0]
  for (; !over && troubles.length === 0; joins++) {
    await agent.runAgent(
      {},
      {
        onRunFinishedEvent: () => {
          over = true
        },
        onRunErrorEvent: ({ event }) => void troubles.push(`the AG-UI client: ${event.message}`),
        onRunFailed: ({ error }) => void troubles.push(`the AG-UI client: ${error.message}`),
      },
    )
  }
  return { messages: JSON.parse(JSON.stringify(agent.messages)), joins }
}

it('after the stream of the runs is removed its runs are 404, and the same id created again has another epoch', async () => {
  const { api } = connect([])
  const path = { run_id: 'removed' }
  const first = await api.POST('/api/svc/runs', { body: path })
  assert.ok(first.ok)
  const nats = await connectNats({ servers: cluster.engines.nats.url.replace('nats://', '') })
  await nats.request(`$JS.API.STREAM.DELETE.${RUNS}`)
  await nats.close()
  const each = (): Promise<number[]> =>
    Promise.all(cluster.nodes.map(async () => (await api.GET('/api/svc/runs/{run_id}', { path })).status))
  await until('no node knows it', async () => (await each()).every((status) => status === 404), 60_000)
  await until('the run is created again', async () => (await api.POST('/api/svc/runs', { body: path })).ok, 60_000)
  const second = await api.GET('/api/svc/runs/{run_id}', { path })
  assert.ok(second.ok && second.data.epoch !== first.data.epoch)
  const events = { path, body: { type: 'RUN_STARTED', threadId: 't', runId: 'r' } }
  await until(
    'the run accepts events',
    async () => (await api.POST('/api/svc/runs/{run_id}/events', events)).ok,
    60_000,
  )
  // A client that reconnects with its old position gets a notice that earlier events are gone.
  const answer = await fetch(`${cluster.base}/api/svc/runs/removed/stream?last_event_id=${first.data.epoch}-7`, {
    headers: { authorization: `Bearer ${tokenFor({ user: 'ada', tenant: 'acme' })}` },
  })
  assert.equal([answer.status, answer.headers.get('svc-last-event-id')], [200, 'earliest'])
  const reader = answer.body!.getReader()
  await readUntil(reader, (text) => text.includes('svc.stream.gap'))
  await reader.cancel()
})

it('after a kill of a node its streams end, clients reconnect to another node, and safe calls continue', async () => {
  const troubles: string[] = []
  const client = connect(troubles)
  const received: string[] = []
  const states: string[] = []
  client.live.onState((state) => states.push(state))
  const leave = client.live.on('todos', ({ identifier }) => received.push(identifier))
  await until('it listens', async () => client.live.state === 'open', 60_000)
  const reading = load(async () => {
    const listed = await client.api.GET('/api/svc/auth/keys')
    if (!listed.ok) troubles.push(`reading: ${listed.status} ${listed.error.code}`)
  })
  for (const node of cluster.nodes) {
    await node.stop('SIGKILL')
    await until('the client is connected again', async () => client.live.state === 'open', 60_000)
    await furtherCalls([reading])
    await node.start()
    await until('the balancer knows', async () => cluster.balancer.ready.size === 3, 60_000)
  }
  const published = await client.api.POST('/api/live/{topic}', {
    path: { topic: 'todos' },
    body: { identifier: 'after', operation: 'insert', data: null },
  })
  assert.ok(published.ok)
  await until('the event arrives', async () => received.includes('after'), 60_000)
  await reading.stop()
  leave()
  assert.equal(
    troubles.filter((trouble) => !trouble.startsWith('live: ')),
    [],
  )
  assert.ok(states.includes('waiting'), 'one of the killed nodes had the stream of the client')
})

test.run()
