/** Whatever fault a host has, the engine answers with a typed error, loses nothing and continues. */
import { randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createEmbedded, type Embedded } from '../../../plugins/sync/store-sqljs/create-embedded.ts'
import { WAIT_MS } from '../../runner/limit.ts'
import { registryOf } from '../../support/kernels.ts'
import { rejection } from '../../support/throws.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createHostRig, deferred, outcomeOf, sleep } from './host-rig.ts'
import { createSigner, START_MS, sqlWasm } from './platforms.ts'

const empty = { expectedFrontier: { heads: [] } }
const never = (): Promise<never> => new Promise(() => {})

test('a realm without clearTimeout counts as a realm without timers, so no answer is lost', async () => {
  const { clearTimeout } = globalThis
  Reflect.deleteProperty(globalThis, 'clearTimeout')
  try {
    const rig = createHostRig()
    const engine = await rig.start()
    assert.is(await outcomeOf(engine.sync.submit(rig.push())), '201')
    await engine.close()
  } finally {
    globalThis.clearTimeout = clearTimeout
  }
})

test('close does not wait for ever for a save of a late application', async () => {
  const gate = deferred()
  let saves = 0
  const rig = createHostRig((state) => ({
    persistence: {
      load: () => state.saved,
      save: (bytes) => {
        if (++saves > 1) return never()
        state.saved = bytes
      },
    },
    apply: () => gate.promise,
  }))
  const engine = await rig.start()
  assert.is(await outcomeOf(engine.sync.submit(rig.push())), 'envelope_preparation_failed < ERR_HOST_TIMEOUT')
  gate.resolve()
  await waitFor('the second save begins', () => saves === 2)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new Error('close hangs')), WAIT_MS)
  })
  await Promise.race([engine.close(), late]).finally(() => clearTimeout(timer))
})

test('many pushes to one domain share their saves', async () => {
  const rig = createHostRig()
  const engine = await rig.start()
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(engine.sync.submit(rig.push()))))
  assert.equal(outcomes, Array(50).fill('201'))
  assert.ok(rig.saves <= 8, `${rig.saves} saves`)
  assert.is(rig.applied.length, 50)
  await engine.close()
})

test('a callback that throws, hangs or returns garbage is a typed error, and the engine works again when the host does', async () => {
  const bad = (value: unknown) => () => value as never
  const throws = () => {
    throw new Error('no')
  }
  const device = (over: object) => (keyId: string) =>
    ({ keyId, scopes: ['kbd-control:demo'], status: 'active', expiresAtMs: null, ...over }) as never
  const cases: [string, (rig: ReturnType<typeof createHostRig>) => object, string][] = [
    ['identity throws', () => ({ identity: throws }), 'ERR_HOST_FAILED'],
    ['identity hangs', () => ({ identity: never }), 'ERR_HOST_TIMEOUT'],
    ...[undefined, 5, 'me', [], true].map((value): [string, () => object, string] => [
      `identity gives ${JSON.stringify(value)}`,
      () => ({ identity: bad(value) }),
      'ERR_HOST_VALUE',
    ]),
    ['identity gives null', () => ({ identity: bad(null) }), 'credential_missing'],
    ['devices.get throws', () => ({ devices: { get: throws } }), 'authority_unavailable < ERR_HOST_FAILED'],
    ['devices.get hangs', () => ({ devices: { get: never } }), 'authority_unavailable < ERR_HOST_TIMEOUT'],
    ...[
      { scopes: 'kbd-control:demo and more' },
      { scopes: [7] },
      { keyId: 'ed25519:other' },
      { status: 'revokd' },
      { expiresAtMs: undefined },
      { expiresAtMs: 'tomorrow' },
      { expiresAtMs: Number.NaN },
    ].map((over): [string, () => object, string] => [
      `a device with ${Object.keys(over)[0]} ${String(Object.values(over)[0])}`,
      () => ({ devices: { get: device(over) } }),
      'authority_unavailable < ERR_HOST_VALUE',
    ]),
    ['devices.get gives a text', () => ({ devices: { get: bad('x') } }), 'authority_unavailable < ERR_HOST_VALUE'],
    ['projects.has throws', () => ({ projects: { has: throws } }), 'ERR_HOST_FAILED'],
    ['projects.has hangs', () => ({ projects: { has: never } }), 'ERR_HOST_TIMEOUT'],
    ['projects.has gives a text', () => ({ projects: { has: bad('no') } }), 'ERR_HOST_VALUE'],
    ['frontier throws', () => ({ frontier: throws }), 'envelope_preparation_failed < ERR_HOST_FAILED'],
    ['frontier hangs', () => ({ frontier: never }), 'envelope_preparation_failed < ERR_HOST_TIMEOUT'],
    ...[undefined, {}, { heads: 'a' }, { heads: ['x'] }, { heads: Array(2).fill('a'.repeat(64)) }].map(
      (value): [string, () => object, string] => [
        `frontier gives ${JSON.stringify(value)}`,
        () => ({ frontier: bad(value) }),
        'envelope_preparation_failed < ERR_HOST_VALUE',
      ],
    ),
    ['apply throws', () => ({ apply: throws }), 'envelope_preparation_failed < ERR_HOST_FAILED'],
    ['now throws', () => ({ now: throws }), 'ERR_HOST_FAILED'],
    ...[1.5, -1, Number.NaN, '1', undefined, 1n].map((value): [string, () => object, string] => [
      `now gives ${String(value)}`,
      () => ({ now: bad(value) }),
      'ERR_HOST_VALUE',
    ]),
  ]
  for (const [name, over, code] of cases) {
    const rig = createHostRig()
    const good = { ...rig.host }
    const engine = await rig.start()
    Object.assign(rig.host, over(rig))
    const body = rig.push(empty)
    assert.is(await outcomeOf(engine.sync.submit(body)), code, name)
    Object.assign(rig.host, good)
    assert.is(await outcomeOf(engine.sync.submit(body)), '201', `${name}: afterwards`)
    await engine.close()
  }
})

test('any callback that calls the engine gets ERR_HOST_REENTRY', async () => {
  const codes: string[] = []
  let engine: Embedded | undefined
  const callEngine = <T>(value: T): T => {
    if (engine === undefined) return value
    for (const call of [engine.sync.receipt('x'), engine.close(), engine.sync.events('x').next()])
      call.catch((error: { code: string }) => codes.push(error.code))
    return value
  }
  const rig = createHostRig()
  const { host } = rig
  rig.host = {
    ...host,
    identity: () => callEngine(host.identity()),
    devices: { get: (id) => callEngine(host.devices.get(id)) },
    projects: { has: () => callEngine(true) },
    frontier: (domain) => callEngine(host.frontier(domain)),
    apply: (domain, envelope) => callEngine(host.apply(domain, envelope)),
    now: () => callEngine(START_MS),
    persistence: { load: host.persistence.load, save: (bytes) => callEngine(host.persistence.save(bytes)) },
  }
  engine = await rig.start()
  assert.is(await outcomeOf(engine.sync.submit(rig.push(empty))), '201')
  await sleep(5)
  assert.ok(codes.length >= 3 * 7, `${codes.length}`)
  assert.equal([...new Set(codes)], ['ERR_HOST_REENTRY'])
  await engine.close()
})

test('a callback that calls back after a pause ends in a typed error as well', async () => {
  let engine: Embedded | undefined
  const rig = createHostRig(() => ({
    identity: async () => {
      await null
      if (engine !== undefined) await engine.sync.receipt(randomUUID())
      return { kind: 'local', user: 'me', tenant: null, scopes: [], credential: null }
    },
  }))
  engine = await rig.start()
  assert.match(await outcomeOf(engine.sync.receipt(randomUUID())), /ERR_HOST_(REENTRY|TIMEOUT|FAILED)/)
  await engine.close()
})

test('the envelope is frozen, and a log that fails has no effect', async () => {
  const frozen: boolean[] = []
  const rig = createHostRig(() => ({
    apply: (_domain, envelope) => {
      frozen.push(Object.isFrozen(envelope), !Reflect.set(envelope, 'pushId', 'changed'))
    },
    deliver: (envelope) => {
      frozen.push(Object.isFrozen(envelope))
      throw new Error('away')
    },
    log: async () => {
      throw new Error('no log')
    },
  }))
  const engine = await rig.start()
  const requestId = randomUUID()
  const { receipt } = await engine.sync.submit(rig.push({ requestId, targetEndpointIds: [createSigner().hex] }))
  assert.is(receipt.pushId, requestId)
  await engine.sync.deliver(requestId)
  assert.ok(frozen.length >= 3 && frozen.every(Boolean))
  await engine.close()
})

test('arguments that the server would refuse are refused', async () => {
  const rig = createHostRig(() => ({ deliver: () => {} }))
  const engine = await rig.start()
  const [peer, requestId] = [createSigner().hex, randomUUID()]
  await engine.sync.submit(rig.push({ requestId, targetEndpointIds: [peer] }))
  const { sync } = engine
  const wrong = (value: unknown): never => value as never
  for (const after of [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, '1', null])
    assert.is(await outcomeOf(sync.events(requestId, wrong(after)).next()), 'malformed_request', String(after))
  for (const body of ['{}', null, undefined, [1], new Uint16Array(2), {}])
    assert.is(await outcomeOf(sync.submit(wrong(body))), 'malformed_request', String(body))
  for (const id of [7, null, undefined, {}]) {
    assert.is(await outcomeOf(sync.receipt(wrong(id))), 'push_not_found')
    assert.is(await outcomeOf(sync.events(wrong(id)).next()), 'push_not_found')
    assert.is(await outcomeOf(sync.deliver(wrong(id))), 'push_not_found')
  }
  assert.is(await outcomeOf(sync.recordPeer(requestId, createSigner().hex, 'applied')), 'target_invalid')
  assert.is(await outcomeOf(sync.recordPeer(requestId, peer, wrong('done'))), 'malformed_request')
  for (const failure of [
    'full',
    {},
    { code: 'x', message: 'y', retryable: 1 },
    { code: 'x', message: 'y'.repeat(2_000), retryable: false },
  ])
    assert.is(await outcomeOf(sync.recordPeer(requestId, peer, 'rejected', wrong(failure))), 'malformed_request')
  const failure = { code: 'full', message: 'no room', retryable: false, more: 1 }
  // Receipts contain null for no failure.
  assert.is((await sync.recordPeer(requestId, peer, 'received', null)).perPeer[peer]!.failure, null)
  assert.equal((await sync.recordPeer(requestId, peer, 'rejected', failure)).perPeer[peer]!.failure, {
    code: 'full',
    message: 'no room',
    retryable: false,
  })
  await engine.close()
})

test('close() waits for the application, and can be called twice', async () => {
  const gate = deferred()
  let done = false
  const rig = createHostRig(() => ({
    apply: async () => {
      await gate.promise
      done = true
    },
  }))
  const engine = await rig.start()
  const body = rig.push()
  const submitted = engine.sync.submit(body)
  await sleep(5)
  const closed = Promise.all([engine.close(), engine.close()])
  assert.is(await outcomeOf(engine.sync.submit(body)), 'receipt_store_unavailable')
  gate.resolve()
  await closed
  assert.ok(done)
  assert.is((await submitted).status, 201)
})

test('all missing members of a host are reported together', async () => {
  const create = createEmbedded as (registry: unknown, options?: unknown) => Promise<Embedded>
  for (const options of [undefined, {}, { host: null }, { host: 7 }]) {
    const error = await rejection('ERR_HOST_INCOMPLETE', create(registryOf([]), options))
    const missing = (error.details as { missing: string[] }).missing
    assert.is(missing.length, 10)
    for (const name of ['persistence.load()', 'devices.get()', 'sqlWasm', 'log()']) assert.match(error.message, name)
  }
  const { host } = createHostRig()
  for (const over of [{ deliver: 1 }, { timeoutMs: 0 }, { timeoutMs: 'soon' }, { sqlWasm: 'x' }])
    assert.is(await outcomeOf(create(registryOf([]), { host: { ...host, ...over } })), 'ERR_HOST_INCOMPLETE')
})

test('an invalid sqlWasm is a typed error, before and after a valid one', async () => {
  const rig = createHostRig()
  const emptyModule = new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])
  for (let round = 0; round < 2; round++) {
    for (const wasm of [new Uint8Array(0), new Uint8Array(100), emptyModule, new WebAssembly.Module(emptyModule), {}]) {
      rig.host = { ...rig.host, sqlWasm: wasm as Uint8Array }
      assert.match(await outcomeOf(rig.start()), /^ERR_SQL_WASM/)
    }
    rig.host = {
      ...rig.host,
      sqlWasm: round === 0 ? new Uint8Array(sqlWasm) : new WebAssembly.Module(new Uint8Array(sqlWasm)),
    }
    const engine = await rig.start()
    assert.is(await outcomeOf(engine.sync.submit(rig.push())), '201')
    await engine.close()
  }
})

test('an engine without WebAssembly, or a page that forbids it, is named as the reason', async () => {
  const { compile } = WebAssembly
  const { WebAssembly: own } = globalThis
  const reason = async (): Promise<string> => (await rejection('ERR_SQL_WASM', createHostRig().start())).message
  try {
    WebAssembly.compile = () =>
      Promise.reject(
        new WebAssembly.CompileError("WebAssembly.compile(): Refused to compile because 'unsafe-eval' is not allowed"),
      )
    assert.match(await reason(), /^This page does not permit WebAssembly: .*unsafe-eval/)
    Reflect.deleteProperty(globalThis, 'WebAssembly')
    assert.is(await reason(), 'This JavaScript engine has no WebAssembly, which the store of this library needs.')
  } finally {
    globalThis.WebAssembly = own
    WebAssembly.compile = compile
  }
})

test('an error says which callback gave what, and its hint names no command', async () => {
  const undefinedBytes = createHostRig(() => ({ persistence: { load: () => undefined as never, save: () => {} } }))
  const { message } = await rejection('receipt_store_unavailable', undefinedBytes.start())
  assert.match(message, /^persistence\.load\(\) of the host gave undefined; it must give .*or null if none were/)
  const damaged = createHostRig(() => ({ persistence: { load: () => new Uint8Array(100), save: () => {} } }))
  const rig = createHostRig(() => ({ devices: { get: () => null } }))
  const engine = await rig.start()
  for (const [code, work, says] of [
    ['store_damaged', () => damaged.start(), /persistence\.load\(\)/],
    ['signer_unknown', () => engine.sync.submit(rig.push()), /devices\.get\(\)/],
  ] as const) {
    const { hint } = await rejection(code, work())
    assert.match(hint!, says)
    assert.not.match(hint!, /svc /)
  }
  await engine.close()
})

test.run()
