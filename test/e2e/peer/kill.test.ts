/**
 * Two services as they ship are killed at any point of deliveries to each other, over connections that are slow and break off: nothing
 * acknowledged is lost, nothing is there twice, and after a push or pull in each direction both hold the same.
 */
import { randomUUID, sign } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, ListedCommand, Project } from '../../../plugins/kbd/api.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { signCommand, verifyAcknowledgement } from '../../../plugins/sync/sign/index.ts'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import type { Child } from '../../support/child.ts'
import { testUnless } from '../../support/skip.ts'
import { createFolder, createSigner, createServer as createStore, signed } from '../../unit/sync/platforms.ts'
import { pushOf, type Reply, type Send, sendTo } from '../sync/daemon.ts'
import { isLostConnection, type Place, startShipped, unbuilt, untilHealthy } from '../sync/shipped.ts'

const test = suite('two nodes under kill -9')

/** Kills; more of them by the environment. */
const ROUNDS = Number(process.env['SVC_PEER_KILLS'] ?? 6)
/** The kill comes so long after a round's first acknowledgement, at most. */
const LONGEST_LIFE_MS = 150
/** A chunk on the way is held up so long, at most; and one in so many breaks its connection. */
const [MAX_DELAY_MS, ONE_CUT_IN] = [4, 60]

/** A way to a node, wherever it listens now: slow, and now and then it breaks off in the middle. */
interface Way {
  readonly address: string
  port: number
  /** Whether it breaks connections. */
  bad: boolean
  cuts: number
  close(): Promise<void>
}

async function openWay(): Promise<Way> {
  const sockets = new Set<Socket>()
  const carry = (from: Socket, to: Socket): void => {
    let last = Promise.resolve()
    from.on('data', (chunk: Buffer) => {
      last = last.then(async () => {
        if (way.bad) await new Promise((done) => setTimeout(done, Math.random() * MAX_DELAY_MS))
        if (way.bad && Math.random() * ONE_CUT_IN < 1) {
          way.cuts++
          // Half of it has passed.
          to.end(chunk.subarray(0, chunk.length / 2))
          from.destroy()
        } else if (!to.destroyed) to.write(chunk)
      })
    })
    from.on('close', () => void last.then(() => to.destroy())).on('error', () => undefined)
  }
  const server = createServer((inner) => {
    const outer = connect(way.port, '127.0.0.1')
    for (const socket of [inner, outer]) {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    }
    carry(inner, outer)
    carry(outer, inner)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const way: Way = {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    port: 0,
    bad: true,
    cuts: 0,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
  return way
}

interface Desk {
  readonly at: Place
  readonly id: string
  readonly way: Way
  child: Child
  /** Pushes that were acknowledged, by id, with their bodies. */
  readonly pushes: Map<string, { readonly body: string; readonly hash: string }>
}

const alice = createSigner()
const key = { ...alice, sign: (message: Uint8Array) => sign(null, message, alice.privateKey) }
const boardId = randomUUID()
const COMMANDS = '/api/v1/kbd/projects/demo/commands'
const json = { 'content-type': 'application/json' }

const ask = ({ at }: Desk, send: Send): Promise<Reply> => sendTo({ socketPath: at.socketPath }, send)
const get = async <T>(desk: Desk, path: string): Promise<T> => {
  const reply = await ask(desk, { path })
  assert.is(reply.status, 200, `${path}: ${reply.text}`)
  return reply.json() as T
}

async function start(desk: Omit<Desk, 'child'>, other: Omit<Desk, 'child'>): Promise<Child> {
  const entry = { endpointId: other.id, addresses: [other.way.address], projects: ['demo'] }
  const child = startShipped(desk.at, {
    RUST_LOG: 'info',
    SVC_PEER__LISTEN: '127.0.0.1:0',
    SVC_PEER__PEERS: JSON.stringify([entry]),
    SVC_SYNC__RETRY_FIRST_MS: '20',
    SVC_SYNC__RETRY_MAX_MS: '200',
  })
  await untilHealthy(child, desk.at)
  desk.way.port = Number((await child.waitFor(/"peers":"127\.0\.0\.1:(\d+)"/, 60_000))[1])
  return child
}

async function makeDesks(): Promise<[Desk, Desk]> {
  const make = async (): Promise<Omit<Desk, 'child'>> => {
    const folder = createFolder()
    const at = { folder, state: join(folder, 'state'), socketPath: join(folder, 'run', 's.sock') }
    mkdirSync(at.state, { mode: 0o700 })
    const store = createStore({ path: storagePath(at.state) })
    await store.enrol(alice, ['kbd-control:demo'])
    await store.close()
    return { at, id: openEndpointKey(at.state).endpointId, way: await openWay(), pushes: new Map() }
  }
  const [one, two] = [await make(), await make()]
  return [
    { ...one, child: await start(one, two) },
    { ...two, child: await start(two, one) },
  ]
}

async function act(desk: Desk, command: Command, sent: Map<string, string>): Promise<void> {
  const { frontier } = await get<Project>(desk, '/api/v1/kbd/projects/demo')
  const envelope = await signCommand(key, { project: 'demo', command, parents: frontier.heads })
  const body = JSON.stringify(envelope)
  sent.set(envelope.commandId, body)
  const reply = await ask(desk, { method: 'POST', path: COMMANDS, headers: json, body })
  assert.is(reply.status, 201, reply.text)
  acknowledged.add(envelope.commandId)
}
const acknowledged = new Set<string>()

async function push(desk: Desk, other: Desk): Promise<void> {
  const body = new TextDecoder().decode(signed(alice, { issuedAtMs: Date.now(), targetEndpointIds: [other.id] }))
  const reply = await ask(desk, pushOf(body))
  assert.is(reply.status, 201, reply.text)
  const { pushId, canonicalPayloadHash } = reply.json() as unknown as PushReceipt
  desk.pushes.set(pushId, { body, hash: canonicalPayloadHash })
}

/** Works on both until one of them, or both, are killed; then they are started again. */
async function live(desks: [Desk, Desk], sent: Map<string, string>): Promise<void> {
  const victims = desks.filter(() => Math.random() < 0.6)
  if (victims.length === 0) victims.push(desks[Math.floor(Math.random() * 2)]!)
  const dead = new Set<Desk>()
  let doomed = false
  let over = false
  const doom = (): void => {
    if (doomed) return
    doomed = true
    for (const victim of victims)
      setTimeout(() => {
        dead.add(victim)
        victim.child.kill('SIGKILL')
        over = true
      }, Math.random() * LONGEST_LIFE_MS)
  }
  const lane = async (desk: Desk, other: Desk): Promise<void> => {
    while (!over || (victims.includes(desk) && !dead.has(desk))) {
      try {
        await act(desk, { type: 'board.update', boardId, title: randomUUID() }, sent)
        await push(desk, other)
        doom()
      } catch (error) {
        if (dead.has(desk) && isLostConnection(error)) return
        throw error
      }
    }
  }
  const [one, two] = desks
  await Promise.all([lane(one, two), lane(two, one)])
  for (const victim of victims) {
    await victim.child.exited
    victim.child = await start(victim, victim === one ? two : one)
  }
}

async function settled(desk: Desk, other: Desk): Promise<void> {
  for (const pushId of desk.pushes.keys()) {
    const path = `/api/v2/sync/pushes/${pushId}`
    let receipt = await get<PushReceipt>(desk, path)
    for (const sinceMs = Date.now(); receipt.perPeer[other.id]?.state !== 'applied'; ) {
      if (Date.now() - sinceMs > 60_000) assert.unreachable(JSON.stringify(receipt, null, 1))
      await new Promise((done) => setTimeout(done, 20))
      receipt = await get<PushReceipt>(desk, path)
    }
    const { state, failure, appliedFrontier, ack } = receipt.perPeer[other.id]!
    const { auditHead, signature } = ack!
    const { canonicalPayloadHash } = receipt
    const word = { pushId, endpointId: other.id, canonicalPayloadHash, state, failure, appliedFrontier, auditHead }
    assert.is(await verifyAcknowledgement({ context: 'svc-peer-ack-1', ...word, signature }, receipt), true)
    assert.is(receipt.events.filter(({ kind }) => kind === 'peer_applied').length, 1)
    assert.equal(
      receipt.events.map(({ sequence }) => sequence),
      receipt.events.map((_, i) => i + 1),
    )
    const there = await get<PushReceipt>(other, path)
    assert.equal([there.origin, there.localState, there.events.length], [desk.id, 'applied_locally', 3])
  }
}

const kills = async (): Promise<void> => {
  const desks = await makeDesks()
  const [one, two] = desks
  const sent = new Map<string, string>()
  const root = await signCommand(key, {
    project: 'demo',
    command: { type: 'board.create', boardId, title: 'Kill' },
    parents: [],
  })
  for (const desk of desks) {
    const reply = await ask(desk, { method: 'POST', path: COMMANDS, headers: json, body: JSON.stringify(root) })
    assert.is(reply.status, 201, reply.text)
  }
  for (let round = 0; round < ROUNDS; round++) await live(desks, sent)

  for (const { way } of desks) way.bad = false
  await settled(one, two)
  await settled(two, one)
  for (const [desk, other] of [
    [one, two],
    [two, one],
  ] as const) {
    const path = `/api/v1/peers/${other.id}/pull`
    const reply = await ask(desk, { method: 'POST', path, headers: json, body: '{"project":"demo"}' })
    assert.is(reply.status, 200, reply.text)
  }
  const standings: unknown[] = []
  for (const desk of desks) {
    const { frontier, headCount, revision } = await get<Project>(desk, '/api/v1/kbd/projects/demo')
    standings.push({ frontier, headCount, revision })
    const found: string[] = []
    for (let after = ''; ; ) {
      const page = await get<{ commands: ListedCommand[]; next: string | null }>(desk, `${COMMANDS}?limit=1000${after}`)
      found.push(...page.commands.map(({ envelope }) => envelope.commandId))
      if (page.next === null) break
      after = `&after=${page.next}`
    }
    assert.is(new Set(found).size, found.length, 'each command once')
    for (const id of acknowledged) assert.ok(found.includes(id), `${id} was acknowledged`)
    for (const id of found) assert.ok(id === root.commandId || sent.has(id), 'nothing is there that was never sent')
    const verdict = await get<{ ok: boolean; firstBad: unknown }>(desk, '/api/v1/audit/verify')
    assert.equal([verdict.ok, verdict.firstBad], [true, null])
    for (const [pushId, { body }] of desk.pushes) {
      const again = await ask(desk, pushOf(body))
      assert.equal([again.status, (again.json() as unknown as PushReceipt).pushId], [200, pushId])
    }
  }
  assert.equal(standings[1], standings[0])
  assert.ok(one.pushes.size + two.pushes.size > ROUNDS, 'pushes were under way')
  for (const { child, way } of desks) {
    assert.equal(await child.stop(), { code: 0, signal: null })
    await way.close()
  }
}

testUnless(test, unbuilt, `${ROUNDS} kills of either end, on a way that breaks off`, kills)

test.run()
