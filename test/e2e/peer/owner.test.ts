/**
 * Data that owners of nodes enter, transfer and see: the peer registry, devices of another node, and the state of
 * peers.
 */
import { writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { PeerEntry } from '../../../plugins/peer/api.ts'
import { peerCommand } from '../../../plugins/peer/registry/commands/peer.ts'
import { deviceCommand } from '../../../plugins/sync/api/commands/device.ts'
import type { Device } from '../../../plugins/sync/api.ts'
import { feature as metrics } from '../../../plugins/telemetry/metrics/feature.ts'
import { acquireRecorder } from '../../../plugins/telemetry/metrics/recorder.ts'
import { unless } from '../../support/skip.ts'
import { createFolder, createSigner } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { startShipped, unbuilt } from '../sync/shipped.ts'
import { alice, boardId, CREATE, callerOf, envelope, idOf, pushFor, withCaller } from './caller.ts'
import type { Ran } from './desks.ts'
import { startLiar } from './lying-node.ts'
import { postJson, startNode } from './nodes.ts'
import { runIn } from './run-in.ts'

const test = suite('owners of peers')
test.after.each(stopDaemons)
const it = unless(test, unbuilt)

test('an entry of the settings stands before one of the store, keeps its label and is not changed by svc peer', async () => {
  const folder = createFolder()
  let set: readonly unknown[] = []
  const peer = (...args: readonly string[]): Promise<Ran> => runIn(folder, peerCommand, args, { 'peer.peers': set })
  const [desk, lamp, chair] = [createSigner().hex, createSigner().hex, createSigner().hex]
  assert.is((await peer('add', desk, '--address', '127.0.0.1:7443', '--label', 'desk', '--project', 'demo')).code, 0)
  assert.is((await peer('add', lamp, '--label', 'lamp')).code, 0)
  const long = await peer('add', lamp, '--label', 'x'.repeat(300))
  assert.match(long.err, /A label has 1 to 64 characters; this has 300\./)
  assert.match((await peer('add', lamp, '--project', 'A Project')).err, /No name of a project: A Project/)
  set = [
    { endpointId: desk, addresses: ['10.0.0.1:1'], label: null, projects: ['demo'] },
    { endpointId: chair, addresses: [], label: 'lamp', projects: [] },
  ]
  const list = JSON.parse((await peer('list', '--json')).out) as readonly PeerEntry[]
  const found = new Map(list.map((one) => [one.endpointId, one]))
  assert.equal(found.get(desk), { ...(set[0] as object), source: 'settings' })
  assert.equal([found.get(chair)!.label, found.get(lamp)!.label], ['lamp', null])
  for (const args of [
    ['add', desk],
    ['remove', desk],
    ['remove', 'lamp'],
  ]) {
    const ran = await peer(...args)
    assert.is(ran.code, 1, args.join(' '))
    assert.match(ran.err, /entered by the setting peer\.peers/)
  }
  assert.is((await peer('remove', lamp)).code, 0)
})

test('svc device import takes all devices or none, keeps known scopes, takes over revocations and never undoes one', async () => {
  const [here, there] = [createFolder(), createFolder()]
  const [bob, carol, dora] = [createSigner(), createSigner(), createSigner()]
  const device = (folder: string, ...args: readonly string[]): Promise<Ran> => runIn(folder, deviceCommand, args)
  const enroll = async (folder: string, keyId: string, scope: string): Promise<void> => {
    const { code, err } = await device(folder, 'enroll', '--key', keyId, '--scope', scope)
    assert.is(code, 0, err)
  }
  const file = join(there, 'export.json')
  const importDevices = async (value?: unknown): Promise<Ran> => {
    writeFileSync(file, value === undefined ? (await device(there, 'export')).out : JSON.stringify(value))
    return device(here, 'import', file)
  }
  const listed = async (): Promise<Map<string, Device>> => {
    const devices = JSON.parse((await device(here, 'list', '--json')).out) as readonly Device[]
    return new Map(devices.map((one) => [one.keyId, one]))
  }
  await enroll(here, bob.keyId, 'kbd-control:demo')
  const before = (await listed()).get(bob.keyId)!
  await enroll(there, bob.keyId, 'kbd-control:*')
  await enroll(there, carol.keyId, 'kbd-control:other')
  const whole = JSON.parse((await device(there, 'export')).out) as { context: string; devices: Device[] }
  assert.equal([whole.context, whole.devices.length], ['svc-device-export-1', 2])
  const one = JSON.parse((await device(there, 'export', carol.keyId)).out) as { devices: Device[] }
  assert.equal(
    one.devices.map(({ keyId }) => keyId),
    [carol.keyId],
  )

  for (const [wrong, expectedError] of [
    [{ ...whole, context: 'svc-peer-ack-1' }, /no export of devices: \/context/],
    [{ ...whole, more: 1 }, /no export of devices/],
    [{ ...whole, devices: [whole.devices[1], { ...whole.devices[0], scopes: ['nothing'] }] }, /Not a scope: nothing/],
    [{ ...whole, devices: [whole.devices[1], { ...whole.devices[0], keyId: dora.keyId }] }, /export/],
  ] as const) {
    const ran = await importDevices(wrong)
    assert.is(ran.code, 1)
    assert.match(ran.err, expectedError)
    assert.is((await listed()).size, 1, 'nothing is imported')
  }

  assert.match((await importDevices()).err, /Enrolled 1 device, revoked 0/)
  let now = await listed()
  assert.equal(now.get(bob.keyId), before, 'a known device does not change')
  assert.is.not(now.get(carol.keyId)!.deviceId, whole.devices.find(({ keyId }) => keyId === carol.keyId)!.deviceId)
  const node = await startNode({ folder: here })
  assert.is((await node.send({ path: '/api/v1/kbd/projects/other' })).status, 200, 'the project exists')
  await node.stop()

  await device(there, 'revoke', bob.keyId, '--reason', 'lost')
  assert.match((await importDevices()).err, /Enrolled 0 devices, revoked 1/)
  now = await listed()
  assert.equal([now.get(bob.keyId)!.status, now.get(bob.keyId)!.revokedReason], ['revoked', 'lost'])
  assert.match((await importDevices(whole)).err, /Enrolled 0 devices, revoked 0/)
  assert.is((await listed()).get(bob.keyId)!.status, 'revoked', 'the device stays revoked')
})

test('a push without progress is deleted after a day with its staged commands, and a resend starts again', async () => {
  let laterMs = 0
  const { node, caller } = await withCaller({}, [], { now: () => Date.now() + laterMs })
  const { inbox } = node.kernel.capability('PeerStore')
  const root = await envelope(alice, CREATE, [])
  const next = await envelope(alice, { type: 'board.update', boardId, title: 'Release 2' }, [idOf(root)])
  const push = pushFor(node, alice) as { requestId: string }
  const body = { push, frontier: { heads: [idOf(next)] }, commands: [root] }
  const state = async (commands: readonly unknown[]): Promise<string> => {
    const { value } = await caller.ask('POST', '/api/v2/peer/pushes', { ...body, commands })
    return (value['ack'] as { state: string }).state
  }
  const held = (): Promise<readonly number[]> =>
    node.kernel.capability('ReceiptStore').read(({ rows }) => {
      const count = (table: string): number => rows<[n: number]>(`SELECT count(*) FROM ${table}`)[0]![0]
      return [count('peer_inbox'), count('peer_staged'), count('receipts')]
    })
  assert.is(await state([root]), 'received')
  laterMs = 86_300_000
  await inbox.sweep()
  assert.equal(await held(), [1, 1, 1])
  laterMs = 86_500_000
  await inbox.sweep()
  assert.equal(await held(), [0, 0, 0])
  assert.is((await node.send({ path: `/api/v2/sync/pushes/${push.requestId}` })).status, 404)
  assert.is(await state([root, next]), 'applied')
  laterMs += 7 * 86_400_000
  await inbox.sweep()
  assert.equal(await held(), [1, 0, 1], 'an acknowledgement is kept as long as it may be requested')
  laterMs += 2 * 86_400_000
  await inbox.sweep()
  assert.equal(await held(), [0, 0, 1])
})

test('the state of a peer is never, connected, refused or unreachable, and a proper refusal counts as connected', async () => {
  const [one, two] = [await startNode(), await startNode()]
  for (const node of [one, two]) await node.enrol(alice, ['kbd-control:demo'])
  const figure = async () => {
    const { state, lastFailure, lastSeenAtMs } = (await one.peers())[0]!
    return [state, lastFailure?.code ?? null, lastSeenAtMs !== null]
  }
  const pull = async (): Promise<string> =>
    String(
      (
        (await postJson(one, `/api/v1/peers/${two.id}/pull`, { project: 'demo' })).json().error as {
          readonly peerCode?: string
        }
      )?.peerCode,
    )
  await one.enter(two)
  assert.equal(await figure(), ['never', null, false])
  await two.enter(one, { projects: [] })
  assert.is(await pull(), 'scope_not_found')
  assert.equal(await figure(), ['connected', null, true])
  await two.enter(one)
  await pull()
  assert.equal(await figure(), ['connected', null, true])
  const liar = await startLiar(() => ({ commands: 'none' }))
  await one.enter(two, { address: liar.address })
  assert.is(await pull(), 'wrong_key')
  assert.equal(await figure(), ['refused', 'wrong_key', true])
  await liar.stop()
  assert.is(await pull(), 'unreachable')
  assert.equal(await figure(), ['unreachable', 'unreachable', true])
})

test('the metrics of peers count connections, exchanges, bytes in each direction, and acknowledgements', async () => {
  const share = acquireRecorder()!
  const [one, two] = [await startNode({}, [metrics]), await startNode()]
  for (const node of [one, two]) await node.enrol(alice, ['kbd-control:demo'])
  await one.enter(two)
  await two.enter(one)
  await one.act(alice, CREATE)
  const { pushId } = await one.pushTo(alice, [two])
  await one.until(pushId, ({ perPeer }) => perPeer[two.id]?.state === 'applied')
  const caller = callerOf(one)
  await one.registry.put({ endpointId: caller.id, addresses: [], label: null, projects: ['demo'] })
  const socket = await caller.open()
  assert.is((await caller.ask('GET', '/api/v2/peer/projects/demo/frontier')).status, 200)
  assert.is((await caller.ask('GET', '/api/v2/peer/projects/nothing/frontier')).status, 404)
  const text = Buffer.from(await share.value.scrape()).toString()
  const value = (line: string): number => Number(new RegExp(`^${line} (\\S+)$`, 'm').exec(text)?.[1] ?? -1)
  assert.ok(value('svc_peer_connections') >= 1)
  assert.is(value('svc_peer_exchanges_total\\{direction="out",outcome="ok"\\}'), 2)
  assert.is(value('svc_peer_exchanges_total\\{direction="in",outcome="ok"\\}'), 1)
  assert.is(value('svc_peer_exchanges_total\\{direction="in",outcome="refused"\\}'), 1)
  for (const direction of ['in', 'out'])
    assert.ok(value(`svc_peer_bytes_total\\{direction="${direction}"\\}`) > 100, direction)
  for (const name of ['acks', 'words'])
    for (const state of ['received', 'applied'])
      assert.is(value(`svc_peer_${name}_total\\{state="${state}"\\}`), 1, `${name} ${state}`)
  socket.destroy()
  share.release()
})

const listening = async (): Promise<void> => {
  const taken = createServer()
  await new Promise<void>((done) => taken.listen(0, '127.0.0.1', done))
  const { port } = taken.address() as AddressInfo
  const folder = createFolder()
  const at = { folder, state: join(folder, 'state'), socketPath: join(folder, 'run', 's.sock') }
  const more = { SVC_PEER__LISTEN: `127.0.0.1:${port}`, RUST_LOG: 'info', SVC_SERVER__PORT: '0' }
  for (const mode of ['sync', 'all']) {
    const busy = startShipped(at, { ...more, SVC_SERVER__MODE: mode })
    assert.is((await busy.exited).code, 1, busy.err)
    assert.match(`${busy.out}${busy.err}`, new RegExp(`cannot listen for peers on 127.0.0.1:${port} .*peer.listen`))
  }
  // A program without the local surface does not listen for peers.
  const runtime = startShipped(at, { ...more, SVC_SERVER__MODE: 'runtime' })
  await runtime.waitFor(/"address":"127\.0\.0\.1:\d+"/, 60_000)
  assert.equal(await runtime.stop('SIGTERM', 60_000), { code: 0, signal: null })
  await new Promise((done) => taken.close(done))
}
it('a used port for peers makes the start fail with 1, and the mode runtime opens no port for peers', listening)

test.run()
