/**
 * Pairing: a code works once and for ten minutes, a caller without a code has no access, and an interrupted pairing can
 * be repeated.
 */
import { createHash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readPairingCode, toPairingCode } from '../../../plugins/peer/core/pairing/pairing-code.ts'
import { openEndpointKey } from '../../../plugins/sync/api/endpoint-key.ts'
import type { Device } from '../../../plugins/sync/api.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createFolder, createSigner, type Signer } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import { alice, boardId, CREATE, callerOf, entries, isClosed, mallory } from './caller.ts'
import { type Node, postJson, startNode } from './nodes.ts'

const test = suite('pairing')
test.after.each(stopDaemons)
const PATH = '/api/v2/peer/pairings'
const WISH = { addresses: null, devices: false, label: null, projects: ['demo'] }
const TEN_MINUTES = 600_000

interface Told {
  readonly status: number
  readonly value: Record<string, unknown>
  readonly code: string | undefined
  readonly message: string
}
const ask = async (node: Node, what: string, body: unknown): Promise<Told> => {
  const reply = await postJson(node, `/api/v1/peers/${what}`, body)
  const value = reply.json() as unknown as Record<string, unknown>
  const { code, message = '' } = (value['error'] ?? {}) as { code?: string; message?: string }
  return { status: reply.status, value, code, message }
}
const offer = async (node: Node, over: object = {}): Promise<string> => {
  const { status, value } = await ask(node, 'pairings', { ...WISH, ...over })
  assert.is(status, 201, JSON.stringify(value))
  return value['code'] as string
}
const join = (node: Node, code: string, over: object = {}): Promise<Told> =>
  ask(node, 'join', { ...WISH, projects: [], ...over, code })
const secretOf = (code: string): string => readPairingCode(code)!.secret
const devicesOf = (node: Node): Promise<readonly Device[]> =>
  node.kernel.capability('ReceiptStore').read((ledger) => ledger.devices())

test('a code pairs two nodes with their devices, and then a push arrives', async () => {
  const [desk, lamp] = [await startNode(), await startNode()]
  await desk.enrol(alice, ['kbd-control:*'])
  await desk.enrol(mallory, ['kbd-control:other'])
  await desk.enrol(alice, ['kbd-control:demo']).catch(() => undefined)
  await desk.kernel.capability('ReceiptStore').write((ledger) =>
    ledger.enrol(
      {
        keyId: `ed25519:${'58'.padEnd(64, '6')}`,
        deviceId: 'd',
        publicKey: '58'.padEnd(64, '6'),
        endpointId: '58'.padEnd(64, '6'),
        scopes: ['kbd-content:demo'],
        label: 'gone',
        status: 'active',
        enrolledAtMs: 1,
        expiresAtMs: 2,
        revokedAtMs: null,
        revokedReason: null,
      },
      ['demo'],
    ),
  )
  const code = await offer(desk, { devices: true, label: 'lamp' })
  const joined = await join(lamp, code, { devices: true, label: 'desk' })
  assert.equal([joined.status, joined.value['enrolled'], joined.value['label']], [200, 1, 'desk'], joined.message)
  assert.equal(await desk.registry.entry(lamp.id), {
    endpointId: lamp.id,
    addresses: [lamp.address],
    label: 'lamp',
    projects: ['demo'],
    source: 'cli',
  })
  assert.equal((await lamp.registry.entry(desk.id))!.addresses, [desk.address])
  assert.equal(
    (await devicesOf(lamp)).map(({ keyId, scopes }) => [keyId, scopes]),
    [[alice.keyId, ['kbd-control:demo']]],
    'scopes are narrowed to the project, and devices of other projects and expired devices are left out',
  )
  await desk.act(alice, CREATE)
  const { pushId } = await desk.pushTo(alice, [lamp])
  await desk.until(pushId, ({ perPeer }) => perPeer[lamp.id]?.state === 'applied')
  for (const node of [desk, lamp]) {
    assert.not.ok(node.logs().includes(secretOf(code)), 'no log contains the secret')
    await node.stop()
  }
  assert.ok(boardId)
})

test('devices are exchanged only where both owners ask for it: otherwise nobody is enrolled, on either side', async () => {
  const [desk, lamp] = [await startNode(), await startNode()]
  await desk.enrol(alice, ['kbd-control:demo'])
  await lamp.enrol(mallory, ['kbd-control:other'])
  const keysOf = async (node: Node): Promise<string[]> => (await devicesOf(node)).map(({ keyId }) => keyId)
  for (const [offered, asked] of [
    [true, false],
    [false, true],
  ] as const) {
    const { status, value, message } = await join(lamp, await offer(desk, { devices: offered }), { devices: asked })
    assert.equal([status, value['enrolled'], value['devicesExchanged']], [200, 0, false], message)
    assert.equal([await keysOf(desk), await keysOf(lamp)], [[alice.keyId], [mallory.keyId]])
  }
  // Mallory's scope is of another project, so that alice alone is handed over.
  const both = await join(lamp, await offer(desk, { devices: true }), { devices: true })
  assert.equal([both.value['enrolled'], both.value['devicesExchanged']], [1, true])
  assert.equal((await keysOf(lamp)).sort(), [mallory.keyId, alice.keyId].sort())
})

test('a code works for one node, which may repeat it; another node or a removed node may not', async () => {
  const [desk, lamp, thief] = [await startNode(), await startNode(), await startNode()]
  await desk.enrol(alice, ['kbd-control:demo'])
  const code = await offer(desk)
  assert.is((await join(lamp, code)).status, 200)
  assert.is((await join(lamp, code)).status, 200, 'the answer may have been lost')
  const open = await offer(desk)
  const stolen = await join(thief, code)
  assert.equal([stolen.status, stolen.value['error'] && stolen.code], [502, 'peer_delivery_failed'])
  assert.match(stolen.message, /Another node has used this pairing code/)
  assert.is((await thief.registry.list()).length, 0)
  assert.is((await entries(desk, 'refusal')).filter(({ outcome }) => outcome === 'pairing_invalid').length, 1)
  assert.match(desk.logs(), /A second node has called/)
  await desk.registry.remove(lamp.id)
  assert.match((await join(lamp, code)).message, /No pairing of this node has this secret/)
  assert.is(await desk.registry.entry(lamp.id), undefined)
  assert.is((await join(thief, open)).status, 200)
})

test('a code is valid after a restart, and expires after ten minutes by the clock of the node that created it', async () => {
  const folder = createFolder()
  // The clock of the node stands still, because starts and a pairing of a busy machine take any time.
  const offeredAtMs = Date.now()
  let laterMs = 0
  const clock = { now: () => offeredAtMs + laterMs }
  let desk = await startNode({ folder, clock })
  await desk.enrol(alice, ['kbd-control:demo'])
  const [first, second] = [await offer(desk), await offer(desk)]
  await desk.stop()
  desk = await startNode({ folder, clock })
  const moved = (code: string): string => toPairingCode({ ...readPairingCode(code)!, addresses: [desk.address] })
  const lamp = await startNode({ clock: { now: () => Date.now() + 10 * TEN_MINUTES } })
  assert.is((await join(lamp, moved(first))).status, 200, 'the clock of the other node does not matter')
  const third = await startNode()
  laterMs = TEN_MINUTES - 1_000
  assert.is((await postJson(third, '/api/v1/peers/join', { ...WISH, projects: [], code: moved(second) })).status, 200)
  laterMs = TEN_MINUTES + 1_000
  const late = await join(third, moved(second))
  assert.match(late.message, /has expired/)
  const stranger = callerOf(desk)
  assert.is(
    await isClosed(await stranger.open()),
    true,
    'without an open pairing strangers are disconnected after the handshake',
  )
})

test('a stranger may send only one request to one path, and wrong secrets are refused and limited', async () => {
  const desk = await startNode()
  await desk.enrol(alice, ['kbd-control:demo'])
  const code = await offer(desk)
  const body = { addresses: [], devices: null, secret: 'A'.repeat(22) }
  const key = openEndpointKey(createFolder())
  const wrong = await callerOf(desk, key).ask('POST', PATH, body)
  assert.equal([wrong.status, wrong.code], [403, 'pairing_invalid'])
  assert.is((await callerOf(desk, key).ask('GET', '/api/v2/peer/projects/demo/frontier')).code, 'not_listed')
  for (const malformed of [
    { ...body, secret: 'short' },
    { ...body, more: 1 },
    { ...body, addresses: ['nowhere'] },
  ])
    assert.is((await callerOf(desk).ask('POST', PATH, malformed)).code, 'malformed_request')
  let refused = 0
  for (let i = 0; i < 12; i++)
    refused += await callerOf(desk)
      .ask('POST', PATH, body)
      .then(
        () => 0,
        () => 1,
      )
  assert.ok(refused >= 5, `ten connections of one address in a minute: ${refused}`)
  assert.equal(await desk.registry.list(), [])
  assert.is((await entries(desk, 'refusal')).filter(({ outcome }) => outcome === 'pairing_invalid').length, 1)
  assert.not.ok(desk.logs().includes(secretOf(code)))
})

test('a project that the joining node already has is shared only if named, and a project that the pairing node lacks is refused', async () => {
  const [desk, lamp] = [await startNode(), await startNode()]
  await desk.enrol(alice, ['kbd-control:demo'])
  await lamp.enrol(alice, ['kbd-control:demo'])
  const missing = await ask(desk, 'pairings', { ...WISH, projects: ['other'] })
  assert.equal([missing.status, missing.code], [404, 'scope_not_found'])
  const code = await offer(desk)
  const asked = await join(lamp, code)
  assert.equal([asked.status, asked.code], [409, 'project_exists'])
  assert.is(await desk.registry.entry(lamp.id), undefined, 'nothing was sent')
  assert.is((await join(lamp, code, { projects: ['demo'] })).status, 200)
})

test('a joining peer cannot enrol devices beyond the shared projects, and cannot change known devices', async () => {
  const desk = await startNode()
  await desk.enrol(alice, ['kbd-control:demo'])
  const code = await offer(desk, { devices: true })
  const own = (await devicesOf(desk))[0]!
  const device = {
    publicKey: mallory.hex,
    scopes: ['kbd-control:*', 'kbd-control:secret'],
    label: 'm',
    expiresAtMs: null,
  }
  const devices = [device, { publicKey: alice.hex, scopes: ['kbd-control:*'], label: null, expiresAtMs: 1 }]
  const caller = callerOf(desk)
  const answer = await caller.ask('POST', PATH, { addresses: [], devices, secret: secretOf(code) })
  assert.is(answer.status, 200, answer.text)
  const found = new Map((await devicesOf(desk)).map((one) => [one.keyId, one]))
  assert.equal(found.get(alice.keyId), own, 'a known device does not change')
  assert.equal(found.get(mallory.keyId)!.scopes, ['kbd-control:demo'])
})

/** A device that a peer hands over, with a new key. */
const handed = ({ hex }: Signer = createSigner()): object => ({
  publicKey: hex,
  scopes: ['kbd-control:demo'],
  label: 'm',
  expiresAtMs: null,
})

test('a code enrols devices once: a repeat is answered and changes nothing, and a revocation by the owner ends it', async () => {
  const desk = await startNode()
  await desk.enrol(alice, ['kbd-control:demo'])
  const secret = secretOf(await offer(desk, { devices: true }))
  const caller = callerOf(desk)
  const use = (devices: readonly object[] | null): ReturnType<typeof caller.ask> =>
    caller.ask('POST', PATH, { addresses: [], devices, secret })
  const first = await use([handed(mallory)])
  assert.is(first.status, 200, first.text)
  const known = await devicesOf(desk)
  assert.is(known.length, 2)
  for (const devices of [[handed(), handed()], Array.from({ length: 128 }, () => handed()), null]) {
    const again = await use(devices)
    assert.is(again.status, 200, again.text)
    assert.equal(await devicesOf(desk), known, 'nothing is enrolled')
  }
  await desk.revoke(mallory)
  const ended = await use([handed()])
  assert.equal([ended.status, ended.code], [403, 'pairing_invalid'])
  assert.match(ended.text, /has revoked a device since/)
  assert.is((await devicesOf(desk)).length, 2)
})

test('a change of the entry by its owner ends the code that made it, and nothing adds the project again', async () => {
  const [desk, lamp] = [await startNode(), await startNode()]
  await desk.enrol(alice, ['kbd-control:demo'])
  const code = await offer(desk)
  assert.is((await join(lamp, code)).status, 200)
  await desk.registry.change(lamp.id, { projects: [] })
  assert.match((await join(lamp, code)).message, /No pairing of this node has this secret/)
  assert.equal((await desk.registry.entry(lamp.id))!.projects, [])
})

test('a join that is repeated enrols nothing more, even if the other node hands over other devices', async () => {
  const [desk, lamp] = [await startNode(), await startNode()]
  await desk.enrol(alice, ['kbd-control:demo'])
  const code = await offer(desk, { devices: true })
  assert.is((await join(lamp, code, { devices: true })).value['enrolled'], 1)
  await desk.enrol(mallory, ['kbd-control:demo'])
  assert.is((await join(lamp, code, { devices: true })).value['enrolled'], 0)
  assert.is((await devicesOf(lamp)).length, 1)
})

test('what does not fit is refused before either node is entered', async () => {
  const [desk, lamp] = [await startNode(), await startNode()]
  await desk.enrol(alice, ['kbd-control:demo'])
  const neither = async (code: string, over: object, says: RegExp): Promise<void> => {
    const refused = await join(lamp, code, over)
    assert.match(refused.message, says)
    assert.equal(
      [await desk.registry.list(), (await lamp.registry.entry(desk.id))?.projects.includes('demo') ?? false],
      [[], false],
    )
  }
  // The entry of the other node would have too many projects.
  const projects = Array.from({ length: 1_024 }, (_, i) => `p${i}`)
  await lamp.registry.put({ endpointId: desk.id, addresses: [], label: null, projects })
  await neither(await offer(desk), {}, /at most 1024 projects/)
  await lamp.registry.remove(desk.id)
  // More devices than a pairing exchanges, here and there.
  const code = await offer(desk, { devices: true })
  for (let i = 0; i < 129; i++) await lamp.enrol(createSigner(), ['kbd-control:*'])
  await neither(code, { devices: true }, /has 129 devices for these projects, and a pairing exchanges at most 128/)
  for (let i = 0; i < 128; i++) await desk.enrol(createSigner(), ['kbd-control:*'])
  const refused = await ask(desk, 'pairings', { ...WISH, devices: true })
  assert.match(refused.message, /has 129 devices/)
  const caller = callerOf(desk)
  const body = { addresses: [], devices: [], secret: secretOf(code) }
  assert.match((await caller.ask('POST', PATH, body)).text, /has 129 devices/)
  assert.is(await desk.registry.entry(caller.id), undefined)
})

test('a label that is longer than a peer takes is left out, and no scope of another family is handed over', async () => {
  const [desk, lamp] = [await startNode(), await startNode()]
  const [store] = [desk.kernel.capability('ReceiptStore')]
  await desk.enrol(alice, ['kbd-control:demo'])
  await store.write((ledger) => {
    const own = ledger.device(alice.keyId)!
    ledger.enrol({ ...own, label: `${'x'.repeat(255)}😀y`, scopes: [...own.scopes, 'other:demo'] }, [])
  })
  assert.is((await join(lamp, await offer(desk, { devices: true }), { devices: true })).value['enrolled'], 1)
  const [device] = await devicesOf(lamp)
  assert.equal([device!.label, device!.scopes], [null, ['kbd-control:demo']])
})

test('a project that an entry of another peer, a setting or a device names is shared only if named', async () => {
  const third = openEndpointKey(createFolder()).endpointId
  const parts = { endpointId: third, addresses: [], label: null, projects: ['demo'] }
  const desk = await startNode()
  await desk.enrol(alice, ['kbd-control:demo'])
  for (const name of ['entry', 'setting', 'device']) {
    const lamp = await startNode(name === 'setting' ? { given: { 'peer.peers': [parts] } } : {})
    if (name === 'entry') await lamp.registry.put(parts)
    if (name === 'device')
      await lamp.kernel.capability('ReceiptStore').write((ledger) => ledger.enrol(deviceOf(mallory.hex), []))
    const code = await offer(desk)
    const refused = await join(lamp, code)
    assert.equal([refused.status, refused.code], [409, 'project_exists'], name)
    assert.is(await desk.registry.entry(lamp.id), undefined, 'nothing was sent')
    assert.is((await join(lamp, code, { projects: ['demo'] })).status, 200, name)
    await lamp.stop()
  }
})

/** A join that this node had begun before its process ended. */
async function begin(node: Node, code: string, over: object = {}): Promise<void> {
  const { endpointId } = readPairingCode(code)!
  const join = { endpointId, code, addresses: null, devices: false, label: null, begunAtMs: Date.now(), ...over }
  const { joins } = node.kernel.capability('PeerStore')
  await node.kernel.capability('ReceiptStore').write((ledger) => void joins.beginIn(ledger, join))
}
const joinsOf = (node: Node): Promise<readonly unknown[]> => node.kernel.capability('PeerStore').joins.list()
/** Waits until a node has no join that has not ended. */
async function untilEnded(node: Node): Promise<void> {
  await waitFor('every join has ended', async () => (await joinsOf(node)).length === 0)
}

test('a join that was interrupted is completed at the next start, also after the code has expired', async () => {
  const offeredAtMs = Date.now()
  let laterMs = 0
  const desk = await startNode({ clock: { now: () => offeredAtMs + laterMs } })
  await desk.enrol(alice, ['kbd-control:demo'])
  const folder = createFolder()
  let lamp = await startNode({ folder })
  const code = await offer(desk)
  // The other node has entered this one, and the process has ended before the answer was stored.
  await desk.registry.put({ endpointId: lamp.id, addresses: [], label: null, projects: ['demo'] })
  await begin(lamp, code)
  await lamp.stop()
  laterMs = 2 * TEN_MINUTES
  lamp = await startNode({ folder })
  await untilEnded(lamp)
  assert.equal((await lamp.registry.entry(desk.id))!.projects, ['demo'])
})

test('two codes of one node are two joins, and the owner ends them, also for a node of the settings', async () => {
  const node = await startNode()
  await node.enrol(alice, ['kbd-control:demo'])
  const first = await offer(node)
  const second = await offer(node)
  const lamp = await startNode()
  await begin(lamp, first)
  await begin(lamp, second)
  assert.is((await joinsOf(lamp)).length, 2)
  lamp.registry.set([{ endpointId: node.id, addresses: [], label: null, projects: ['demo'] }])
  await lamp.registry.remove(node.id)
  assert.equal(await joinsOf(lamp), [])
})

test('a join that was interrupted ends without an entry where the other node has not entered this one and will not', async () => {
  const [desk, folder] = [await startNode(), createFolder()]
  await desk.enrol(alice, ['kbd-control:demo'])
  let lamp = await startNode({ folder })
  const code = await offer(desk)
  const wrong = toPairingCode({ ...readPairingCode(code)!, secret: 'A'.repeat(22) })
  await begin(lamp, wrong)
  await lamp.stop()
  lamp = await startNode({ folder })
  await untilEnded(lamp)
  assert.equal([await lamp.registry.list(), await desk.registry.list()], [[], []])
  assert.match(lamp.logs(), /A join that was interrupted is not complete/)
})

test('a node that does not answer ends a first join, and an interrupted one waits until the owner removes the node', async () => {
  const [desk, folder] = [await startNode(), createFolder()]
  await desk.enrol(alice, ['kbd-control:demo'])
  let lamp = await startNode({ folder })
  const code = await offer(desk)
  await desk.stop()
  const refused = await join(lamp, code)
  assert.match(refused.message, /nobody answers/)
  assert.not.match(refused.message, /repeats the join/)
  assert.equal(await joinsOf(lamp), [])
  await begin(lamp, code)
  await lamp.stop()
  lamp = await startNode({ folder })
  const again = await join(lamp, code)
  assert.match(again.message, /this node repeats the join by itself .* svc peer remove [0-9a-f]{64}/)
  assert.is((await joinsOf(lamp)).length, 1)
  await lamp.registry.remove(desk.id)
  assert.equal([await joinsOf(lamp), await lamp.registry.list()], [[], []])
})

test('limits are named in words, with what came', async () => {
  const desk = await startNode()
  await desk.enrol(alice, ['kbd-control:demo'])
  for (const [over, says] of [
    [{ label: 'x'.repeat(300) }, 'A label has 1 to 64 characters; this has 300.'],
    [{ label: 'A b' }, 'A label has only a-z, 0-9, dot, hyphen and underscore, and begins with a letter or digit.'],
    [{ projects: [] }, 'A code names 1 to 64 projects; this names 0.'],
    [{ addresses: Array.from({ length: 17 }, () => 'a:1') }, 'A peer has at most 16 addresses; this has 17.'],
  ] as const) {
    const { status, message } = await ask(desk, 'pairings', { ...WISH, ...over })
    assert.equal([status, message], [400, says])
  }
  const text = new Uint8Array(300_000)
  const hash = createHash('sha256').update(text).digest('hex')
  const headers = { 'content-type': 'application/octet-stream' }
  const put = await desk.send({ method: 'PUT', path: `/api/v1/kbd/content/${hash}`, headers, body: text })
  assert.is(put.status, 413)
  assert.match(put.text, /262144 bytes/)
  for (const [path, says] of [
    ['commands?limit=0', 'The parameter limit is an integer from 1 to 1000.'],
    ['claims?state=old', 'The parameter state is one of held, future, expired, released, void, all.'],
  ] as const) {
    const reply = await desk.send({ path: `/api/v1/kbd/projects/demo/${path}` })
    assert.is((reply.json().error as unknown as { message: string }).message, says)
  }
  const search = await desk.send({ path: `/api/v1/search?q=${'x'.repeat(1_025)}` })
  assert.match(search.text, /1 to 1024 bytes; this has 1025/)
})

/** A device that names the project demo. */
function deviceOf(publicKey: string): Device {
  return {
    keyId: `ed25519:${publicKey}`,
    deviceId: 'd',
    publicKey,
    endpointId: publicKey,
    scopes: ['kbd-control:demo'],
    label: null,
    status: 'active',
    enrolledAtMs: 1,
    expiresAtMs: null,
    revokedAtMs: null,
    revokedReason: null,
  }
}

test.run()
