/** Entered peers that lie: nothing false is accepted, their resources are limited, and the audit chain records them. */
import { randomUUID } from 'node:crypto'
import { type AddressInfo, connect, createServer as createTcp } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { definePlugin } from '../../../core/declare/plugin.ts'
import { createLink } from '../../../plugins/peer/tls/link.ts'
import type { Acknowledgement } from '../../../plugins/sync/api.ts'
import { countOf } from '../../support/count.ts'
import { waitFor } from '../../support/wait-for.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { alice, boardId, CREATE, callerOf, entries, envelope, idOf, mallory, pushFor, withCaller } from './caller.ts'
import { startLiar, wordOf } from './lying-node.ts'
import { type Node, postJson, startNode } from './nodes.ts'

test.after.each(stopDaemons)

const outcomes = async (node: Node, kind = 'refusal'): Promise<readonly string[]> =>
  (await entries(node, kind)).map(({ outcome, actor }) => `${outcome} ${actor.slice(8, 16)}`)
const isWhole = async (node: Node): Promise<void> =>
  assert.equal((await node.send({ path: '/api/v1/audit/verify' })).json()['ok'], true)
const count = (node: Node, table: string): Promise<number> =>
  node.kernel.capability('ReceiptStore').read(({ rows }) => rows<[n: number]>(`SELECT count(*) FROM ${table}`)[0]![0])

/** The number of requested projects. */
const PROJECTS = countOf({ quick: 200, deep: 1_000, variable: 'SVC_PEER_PROJECTS' })

test(`${PROJECTS} requested projects outside the entry of a peer get 404, leave no data, and are one entry in the audit chain`, async () => {
  const { node, caller } = await withCaller({ 'peer.bytes_per_minute': 1_048_576_000 })
  const link = createLink({ key: () => caller.key, timeoutMs: 30_000, idleTimeoutMs: 30_000, maxConnections: 4 })
  const entry = { endpointId: node.id, addresses: [node.address], label: null, projects: [], source: 'cli' } as const
  const headers = { 'svc-peer-version': '1', 'content-type': 'application/json' }
  const ask = async (n: number): Promise<number> => {
    const project = `p${n}`
    const body = JSON.stringify({ project, pushId: null, commands: [] })
    const { status } =
      n % 10 === 0
        ? await link.exchange(entry, { method: 'POST', path: '/api/v2/peer/commands', headers, body })
        : await link.exchange(entry, { method: 'GET', path: `/api/v2/peer/projects/${project}/frontier`, headers })
    return status
  }
  const statuses = new Map<number, number>()
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < PROJECTS) {
      const status = await ask(next++)
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  link.close()
  assert.equal([...statuses], [[404, PROJECTS]])
  const { projects } = (await node.send({ path: '/api/v1/kbd/projects' })).json() as unknown as { projects: unknown[] }
  assert.is(projects.length, 1)
  assert.equal((await node.peers())[0]!.projects, {})
  for (const table of ['peer_inbox', 'peer_staged', 'receipts', 'kbd_commands'])
    assert.is(await count(node, table), 0, table)
  assert.equal(await outcomes(node), [`scope_not_found ${caller.id.slice(0, 8)}`])
})

test('commands of an endless push are staged and hidden up to a limit, then get 429', async () => {
  const { node, caller } = await withCaller({ 'peer.staged_bytes': 1_048_576 })
  const push = pushFor(node, alice) as { requestId: string }
  const opened = await caller.ask('POST', '/api/v2/peer/pushes', {
    push,
    frontier: { heads: ['f'.repeat(64)] },
    commands: [],
  })
  assert.is((opened.value['ack'] as Acknowledgement).state, 'received')
  let parents: readonly string[] = []
  let refused: string | undefined
  let batches = 0
  for (; refused === undefined; batches++) {
    assert.ok(batches < 20, 'the limit is reached')
    const commands: unknown[] = []
    for (let bytes = 0; bytes < 200_000; ) {
      const one = await envelope(
        alice,
        parents.length === 0 ? CREATE : { type: 'board.update', boardId, title: 'x'.repeat(1_000) },
        parents,
      )
      parents = [idOf(one)]
      bytes += JSON.stringify(one).length
      commands.push(one)
    }
    const given = await caller.ask('POST', '/api/v2/peer/commands', {
      project: 'demo',
      pushId: push.requestId,
      commands,
    })
    if (given.status !== 200) refused = given.code
  }
  assert.is(refused, 'rate_limited')
  const held = await node.kernel
    .capability('ReceiptStore')
    .read(({ rows }) => rows<[n: number]>('SELECT sum(length(command)) FROM peer_staged')[0]![0])
  assert.ok(held > 500_000 && held <= 1_048_576, `${held}`)
  assert.is((await node.standing()).revision, 0)
  assert.ok((await outcomes(node)).includes(`rate_limited ${caller.id.slice(0, 8)}`))
  await isWhole(node)
})

test('a delivery stops and is recorded if the peer requests the same or missing data again and again', async () => {
  const node = await startNode({ given: { 'sync.retry_first_ms': 60_000, 'sync.retry_max_ms': 60_000 } })
  await node.enrol(alice, ['kbd-control:demo'])
  await node.act(alice, CREATE)
  for (const content of [[], ['a'.repeat(64)]] as const) {
    const liar = await startLiar((path, body, key) =>
      path.endsWith('/pushes')
        ? { ack: wordOf(body, key, {}), need: { have: { heads: [] }, content } }
        : { accepted: 1, frontier: { heads: [] }, ack: null },
    )
    await node.registry.put({ endpointId: liar.id, addresses: [liar.address], label: null, projects: ['demo'] })
    const { pushId } = await node.pushTo(alice, [liar])
    const code = content.length === 0 ? 'bad_answer' : 'content_missing'
    const receipt = await node.until(pushId, ({ events }) => events.some(({ kind }) => kind === 'peer_delivery_failed'))
    assert.is(receipt.events.at(-1)!.failure!.code, code)
    assert.ok(liar.asked() <= 8, `${liar.asked()} requests`)
    if (code === 'bad_answer') assert.ok((await outcomes(node, 'peer')).includes(`bad_answer ${liar.id.slice(0, 8)}`))
    await liar.stop()
  }
  await isWhole(node)
})

test('a repeated acknowledgement with different audit heads is one entry in the audit chain', async () => {
  const { node, caller } = await withCaller()
  await node.act(alice, CREATE)
  const push = pushFor(node, alice, { targetEndpointIds: [caller.id] })
  const reply = await postJson(node, '/api/v2/sync/pushes', push)
  assert.is(reply.status, 201, reply.text)
  for (let n = 0; n < 20; n++) {
    const ack = wordOf({ push } as Record<string, unknown>, caller.key, { auditHead: String(n).padStart(64, '0') })
    assert.is((await caller.ask('POST', '/api/v2/peer/acks', { acks: [ack] })).status, 204)
  }
  const recorded = await outcomes(node, 'peer')
  assert.equal(
    recorded.filter((one) => one.endsWith(caller.id.slice(0, 8))),
    [`ok ${caller.id.slice(0, 8)}`],
  )
})

test('forged commands, commands of another project and wrong texts in answers of a peer are not stored', async () => {
  const node = await startNode()
  await node.enrol(alice, ['kbd-control:demo', 'kbd-content:demo'])
  const root = await envelope(alice, CREATE, [])
  const forged = { ...root, command: { ...root.command, title: 'Forged' } }
  const stranger = await envelope(mallory, CREATE, [])
  const late = await envelope(alice, { type: 'board.update', boardId, title: 'Late' }, [idOf(root)])
  for (const [commands, code] of [
    [[forged], 'signature_invalid'],
    [[stranger], 'signer_unknown'],
    [[late], 'frontier_unknown'],
    [[{ ...root, domain: 'kbd-control:other' }], 'signature_invalid'],
  ] as const) {
    const liar = await startLiar(() => ({ commands, frontier: { heads: [] }, more: false }))
    await node.registry.put({ endpointId: liar.id, addresses: [liar.address], label: null, projects: ['demo'] })
    const pulled = await postJson(node, `/api/v1/peers/${liar.id}/pull`, { project: 'demo' })
    assert.is(pulled.json().error?.code, code, pulled.text)
    assert.is((await node.standing()).revision, 0)
    assert.ok((await outcomes(node)).includes(`${code} ${liar.id.slice(0, 8)}`), code)
    const last = (await node.peers()).find(({ endpointId }) => endpointId === liar.id)?.lastFailure?.code
    if (code === 'signature_invalid') assert.is(last, 'bad_answer')
    await liar.stop()
  }
  const [columnId, cardId] = [randomUUID(), randomUUID()]
  await node.act(
    alice,
    CREATE,
    { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
    { type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'A card', bodyHash: 'b'.repeat(64) },
  )
  const liar = await startLiar((path) =>
    path.includes('/content/') ? Buffer.from('another text') : { commands: [], frontier: { heads: [] }, more: false },
  )
  await node.registry.put({ endpointId: liar.id, addresses: [liar.address], label: null, projects: ['demo'] })
  const pulled = await postJson(node, `/api/v1/peers/${liar.id}/pull`, { project: 'demo' })
  assert.equal([pulled.status, (pulled.json().error as unknown as { peerCode: string }).peerCode], [502, 'bad_answer'])
  assert.is((await node.send({ path: `/api/v1/kbd/content/${'b'.repeat(64)}` })).status, 404)
  assert.ok((await outcomes(node, 'peer')).includes(`bad_answer ${liar.id.slice(0, 8)}`))
  await liar.stop()
  await isWhole(node)
})

test('a replayed handshake does not open a connection', async () => {
  let requestCount = 0
  const listening = definePlugin({
    name: 'test.listening',
    feature: 'test.listening',
    setup: (ctx) => ctx.hook('peer', { onRequest: () => void requestCount++ }),
  })
  const { node, caller } = await withCaller({}, [listening])
  const [host, port] = node.address.split(':')
  const recorded: Buffer[] = []
  const tap = createTcp((inner) => {
    const outer = connect(Number(port), host)
    inner.on('data', (chunk: Buffer) => {
      recorded.push(chunk)
      outer.write(chunk)
    })
    outer.on('data', (chunk: Buffer) => void inner.write(chunk))
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const)
      one.on('close', () => other.destroy()).on('error', () => undefined)
  })
  await new Promise<void>((done) => tap.listen(0, '127.0.0.1', done))
  const tapped = callerOf({ ...node, address: `127.0.0.1:${(tap.address() as AddressInfo).port}` }, caller.key)
  assert.is((await tapped.ask('POST', '/api/v2/peer/acks', { acks: [] })).status, 204)
  assert.is(requestCount, 1)
  assert.ok(Buffer.concat(recorded).length > 500, 'a handshake and a request')

  const again = connect(Number(port), host)
  const over = new Promise<void>((done) => again.once('close', () => done()))
  again.on('error', () => undefined).resume()
  for (const chunk of recorded) {
    again.write(chunk)
    await new Promise((done) => setTimeout(done, 20))
  }
  await over
  assert.is(requestCount, 1, 'the replay caused no request')
  await new Promise((done) => tap.close(done))
})

test('if an entry is removed during a push, its commands stay hidden, later requests are refused, and this is recorded', async () => {
  const { node, caller } = await withCaller()
  const root = await envelope(alice, CREATE, [])
  const next = await envelope(alice, { type: 'board.update', boardId, title: 'Release 2' }, [idOf(root)])
  const push = pushFor(node, alice) as { requestId: string }
  const frontier = { heads: [idOf(next)] }
  const opened = await caller.ask('POST', '/api/v2/peer/pushes', { push, frontier, commands: [root] })
  assert.is((opened.value['ack'] as Acknowledgement).state, 'received')
  const socket = await caller.open()
  const answered = new Promise<void>((done) => socket.once('data', () => done()))
  socket.write('GET /api/v2/peer/projects/demo/frontier HTTP/1.1\r\nhost: peer\r\nsvc-peer-version: 1\r\n\r\n')
  await answered
  await node.registry.remove(caller.id)
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  const body = JSON.stringify({ project: 'demo', pushId: push.requestId, commands: [next] })
  socket.on('error', () => undefined).resume()
  socket.write(
    `POST /api/v2/peer/commands HTTP/1.1\r\nhost: peer\r\nsvc-peer-version: 1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  )
  await closed
  assert.is((await node.standing()).revision, 0)
  await untilRecorded(node, caller.id)
  const stranger = callerOf(node)
  const other = await stranger.open().catch(() => undefined)
  if (other !== undefined && !other.destroyed)
    await new Promise<void>((done) =>
      other
        .on('error', () => undefined)
        .resume()
        .once('close', () => done()),
    )
  await untilRecorded(node, stranger.id)
  await isWhole(node)
})

/** Waits for the entry in the audit chain, which is written after the connection is closed. */
async function untilRecorded(node: Node, id: string): Promise<void> {
  const outcome = `not_listed ${id.slice(0, 8)}`
  await waitFor(outcome, async () => (await outcomes(node)).includes(outcome))
}

test.run()
