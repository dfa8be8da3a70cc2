/**
 * Two and three shipped services are killed at random points of deliveries to each other, with faulty exchanges:
 * nothing acknowledged is lost, nothing is duplicated, and after a push or pull in each direction all nodes have the
 * same board.
 */
import { randomUUID, sign } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, ListedCommand, Project } from '../../../plugins/kbd/api.ts'
import { signCommand, verifyAcknowledgement } from '../../../plugins/protocol/sign/index.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import type { EndpointKey, PushReceipt } from '../../../plugins/sync/api.ts'
import { storagePath } from '../../../plugins/sync/store-sqlite/file-store.ts'
import { withinLimit } from '../../runner/limit.ts'
import type { Child } from '../../support/child.ts'
import { countOf } from '../../support/count.ts'
import { unless } from '../../support/skip.ts'
import { createFolder, createSigner, createServer as createStore, signed } from '../../unit/sync/platforms.ts'
import { pushOf, type Reply, type Send, sendTo } from '../sync/daemon.ts'
import { isLostConnection, type Place, startShipped, unbuilt, untilHealthy } from '../sync/shipped.ts'
import { FATES, openWay, type Way } from './exchange-proxy.ts'

const test = suite('nodes under kill -9')
const it = unless(test, unbuilt)

/** The number of rounds of kills. */
const ROUNDS = countOf({ quick: 3, deep: 50, variable: 'SVC_PEER_KILLS' })
/** The maximum time between the first acknowledgement of a round and a kill, in milliseconds. */
const LONGEST_LIFE_MS = 150
/**
 * The maximum number of pushes of a node in one round, because pending pushes are settled one after the other at the
 * end.
 */
const MAX_PUSHES = 4
/**
 * The maximum time without any arrival, and of a stop, in milliseconds. The total time is not limited, because it
 * depends on the load of the machine.
 */
const [STANDSTILL_MS, STOP_MS] = [withinLimit(300_000, 0.5), 120_000]

interface Desk {
  readonly at: Place
  readonly id: string
  readonly way: Way
  child: Child
  /** The acknowledged pushes with their bodies, by id. */
  readonly pushes: Map<string, { readonly body: string; readonly hash: string }>
}
type Asleep = Omit<Desk, 'child'>

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

async function start(desk: Asleep, all: readonly Asleep[]): Promise<Child> {
  const entries = all
    .filter((other) => other.id !== desk.id)
    .map((other) => ({ endpointId: other.id, addresses: [other.way.address], projects: ['demo'] }))
  const child = startShipped(desk.at, {
    RUST_LOG: 'info',
    SVC_PEER__LISTEN: '127.0.0.1:0',
    SVC_PEER__PEERS: JSON.stringify(entries),
    SVC_SYNC__RETRY_FIRST_MS: '20',
    SVC_SYNC__RETRY_MAX_MS: '200',
    SVC_SERVER__SHUTDOWN_GRACE_MS: String(STOP_MS),
  })
  await untilHealthy(child, desk.at)
  desk.way.port = Number((await child.waitFor(/"peers":"127\.0\.0\.1:(\d+)"/, 60_000))[1])
  return child
}

async function makeDesks(count: number): Promise<readonly Desk[]> {
  const keys = new Map<string, EndpointKey>()
  const make = async (): Promise<Asleep> => {
    const folder = createFolder()
    const at = { folder, state: join(folder, 'state'), socketPath: join(folder, 'run', 's.sock') }
    mkdirSync(at.state, { mode: 0o700 })
    const store = createStore({ path: storagePath(at.state) })
    await store.enrol(alice, ['kbd-control:demo'])
    await store.close()
    const own = openEndpointKey(at.state)
    keys.set(own.endpointId, own)
    return { at, id: own.endpointId, way: await openWay(own, (id) => keys.get(id)), pushes: new Map() }
  }
  const asleep = await Promise.all(Array.from({ length: count }, make))
  return Promise.all(asleep.map(async (desk) => Object.assign(desk, { child: await start(desk, asleep) })))
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

async function push(desk: Desk, others: readonly Desk[]): Promise<void> {
  const targetEndpointIds = others.map(({ id }) => id)
  const body = new TextDecoder().decode(signed(alice, { issuedAtMs: Date.now(), targetEndpointIds }))
  const reply = await ask(desk, pushOf(body))
  assert.is(reply.status, 201, reply.text)
  const { pushId, canonicalPayloadHash } = reply.json() as unknown as PushReceipt
  desk.pushes.set(pushId, { body, hash: canonicalPayloadHash })
}

/** Sends commands and pushes on all nodes until some or all nodes are killed, then starts the killed nodes again. */
async function runRound(desks: readonly Desk[], sent: Map<string, string>): Promise<void> {
  const victims = desks.filter(() => Math.random() < 0.5)
  if (victims.length === 0) victims.push(desks[Math.floor(Math.random() * desks.length)]!)
  const dead = new Set<Desk>()
  let isKillScheduled = false
  const scheduleKills = (): void => {
    if (isKillScheduled) return
    isKillScheduled = true
    for (const victim of victims)
      setTimeout(() => {
        dead.add(victim)
        victim.child.kill('SIGKILL')
      }, Math.random() * LONGEST_LIFE_MS)
  }
  const lane = async (desk: Desk): Promise<void> => {
    const others = desks.filter((one) => one !== desk)
    for (let n = 0; n < MAX_PUSHES && !dead.has(desk); n++) {
      try {
        await act(desk, { type: 'board.update', boardId, title: randomUUID() }, sent)
        await push(desk, others)
        scheduleKills()
      } catch (error) {
        if (dead.has(desk) && isLostConnection(error)) return
        throw error
      }
    }
  }
  await Promise.all(desks.map(lane))
  for (const victim of victims) {
    await victim.child.exited
    victim.child = await start(victim, desks)
  }
}

/** Waits until no delivery is pending. Fails if the number does not become smaller in `STANDSTILL_MS`. */
async function arrived(desks: readonly Desk[]): Promise<void> {
  const waiting = async (): Promise<number> => {
    let sum = 0
    for (const desk of desks) sum += (await get<{ outbox: { pending: number } }>(desk, '/api/v1/status')).outbox.pending
    return sum
  }
  let least = await waiting()
  for (let pending = least, sinceMs = Date.now(); pending > 0; pending = await waiting()) {
    if (pending < least) [least, sinceMs] = [pending, Date.now()]
    else if (Date.now() - sinceMs > STANDSTILL_MS) assert.unreachable(`${pending} envelopes do not arrive`)
    await new Promise((done) => setTimeout(done, 50))
  }
}

async function settled(desk: Desk, other: Desk): Promise<void> {
  for (const pushId of desk.pushes.keys()) {
    const path = `/api/v2/sync/pushes/${pushId}`
    const receipt = await get<PushReceipt>(desk, path)
    assert.is(receipt.perPeer[other.id]?.state, 'applied', JSON.stringify(receipt, null, 1))
    const { state, failure, appliedFrontier, ack } = receipt.perPeer[other.id]!
    const { auditHead, signature } = ack!
    const { canonicalPayloadHash } = receipt
    const word = { pushId, endpointId: other.id, canonicalPayloadHash, state, failure, appliedFrontier, auditHead }
    assert.is(await verifyAcknowledgement({ context: 'svc-peer-ack-1', ...word, signature }, receipt), true)
    assert.is(receipt.events.filter(({ kind, peer }) => kind === 'peer_applied' && peer === other.id).length, 1)
    assert.equal(
      receipt.events.map(({ sequence }) => sequence),
      receipt.events.map((_, i) => i + 1),
    )
    const there = await get<PushReceipt>(other, path)
    assert.equal([there.origin, there.localState, there.events.length], [desk.id, 'applied_locally', 3])
  }
}

const kills = (count: number) => async (): Promise<void> => {
  const desks = await makeDesks(count)
  const pairs = desks.flatMap((desk) => desks.filter((one) => one !== desk).map((other) => [desk, other] as const))
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
  for (let round = 0; round < ROUNDS; round++) await runRound(desks, sent)

  for (const { way } of desks) way.bad = false
  await arrived(desks)
  for (const [desk, other] of pairs) await settled(desk, other)
  for (const [desk, other] of pairs) {
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
    for (const id of sent.keys()) if (acknowledged.has(id)) assert.ok(found.includes(id), `${id} was acknowledged`)
    for (const id of found) assert.ok(id === root.commandId || sent.has(id), 'there are only sent commands')
    const verdict = await get<{ ok: boolean; firstBad: unknown }>(desk, '/api/v1/audit/verify')
    assert.equal([verdict.ok, verdict.firstBad], [true, null])
    for (const [pushId, { body }] of desk.pushes) {
      const again = await ask(desk, pushOf(body))
      assert.equal([again.status, (again.json() as unknown as PushReceipt).pushId], [200, pushId])
    }
  }
  for (const standing of standings) assert.equal(standing, standings[0])
  const pushes = desks.reduce((sum, desk) => sum + desk.pushes.size, 0)
  assert.ok(pushes >= ROUNDS, 'pushes were under way')
  const counts: Record<string, number> = {}
  for (const { way } of desks)
    for (const [fate, times] of Object.entries(way.counts)) counts[fate] = (counts[fate] ?? 0) + times
  if (ROUNDS >= 50) for (const fate of FATES) assert.ok(counts[fate]! > 0, fate)
  console.log(`${count} nodes: ${pushes} pushes, ${sent.size} commands, exchanges ${JSON.stringify(counts)}`)
  for (const { child, way } of desks) {
    assert.equal(await child.stop('SIGTERM', STOP_MS), { code: 0, signal: null })
    await way.close()
  }
}

for (const count of [2, 3])
  it(
    `${ROUNDS} rounds of kills of ${count} nodes with faulty exchanges: nothing acknowledged is lost or duplicated`,
    kills(count),
  )

test.run()
