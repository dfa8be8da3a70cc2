import { randomUUID } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isSvcError } from '../../../core/declare/errors.ts'
import type { Command } from '../../../plugins/kbd/api.ts'
import { conflictIdOf } from '../../../plugins/kbd/engine/commands/commands.ts'
import type { KbdDevice } from '../../../plugins/kbd/engine/engine-parts.ts'
import { deviceId, drivers, envelopeOf, fakeCodecs, openEngine, openNode, START_MS, uuidOf } from './boards.ts'

const [BOARD, COLUMN, CARD] = [1, 2, 3].map(uuidOf) as [string, string, string]
const board: Command = { type: 'board.create', boardId: BOARD, title: 'Board' }
const toBytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))

function start(scopes: readonly string[] = ['kbd-control:demo'], over: Parameters<typeof openEngine>[2] = {}) {
  const node = openNode(drivers['node:sqlite']!)
  const device = (n: number, more: Partial<KbdDevice> = {}): [string, KbdDevice] => [
    deviceId(n),
    { keyId: deviceId(n), scopes, status: 'active', expiresAtMs: null, ...more },
  ]
  const devices = new Map([device(1), device(2), device(3, { status: 'revoked' })])
  const engine = openEngine(node, devices, over)
  const enter = async (value: unknown, project = 'demo'): Promise<string> => {
    try {
      const { status, id } = await engine.enter(project, toBytes(value))
      return `${status} ${id}`
    } catch (error) {
      if (!isSvcError(error)) throw error
      const member = error.details?.['member']
      return member === undefined ? `${error.status} ${error.code}` : `${error.status} ${error.code} ${String(member)}`
    }
  }
  return { node, engine, devices, device, enter }
}

test('a command is refused by the first failing check, in the documented order', async () => {
  const { node, devices, device, enter } = start()
  const good = envelopeOf(board, {})
  const sign = (over: object, n = 1): object => ({ ...envelopeOf(board, { device: n }), ...over })
  assert.is(await enter('x'.repeat(65_537)), '413 payload_too_large')
  assert.is(await enter('{'), '400 malformed_json')
  assert.is(await enter('{"a":1,"a":1}'), '400 canonicalization_failed')
  assert.is(await enter({ ...good, schemaVersion: '1.7' }), '400 unsupported_schema_version')
  for (const over of [
    { extra: 1 },
    { commandId: uuidOf(0).replaceAll('4', '0').replaceAll('8', '0') },
    { concurrency: 'maybe' },
    { command: [] },
    { expectedFrontier: null },
    { domain: 'kbd-content:demo' },
    { signature: 'x' },
  ])
    assert.is(await enter({ ...good, ...over }), '400 malformed_request', JSON.stringify(over))
  const { signature: _, ...unsigned } = good
  assert.is(await enter(unsigned), '400 malformed_request')
  assert.is(await enter(good, 'other'), '400 malformed_request')
  assert.is(await enter(envelopeOf(board, { device: 9 })), '403 signer_unknown')
  assert.is(await enter(sign({ issuedAtMs: START_MS + 1 })), '401 signature_invalid')
  assert.is(await enter(envelopeOf(board, { device: 3 })), '403 signer_revoked')
  assert.is(await enter(envelopeOf(board, { project: 'gone' }), 'gone'), '404 scope_not_found')
  const nothing = { type: 'board.explode' } as unknown as Command
  devices.set(...device(2, { scopes: ['kbd-control:demo#card'] }))
  assert.is(await enter(envelopeOf(nothing, { device: 2 })), '403 signer_not_in_scope')
  assert.is(
    await enter(envelopeOf(nothing, { issuedAtMs: START_MS - 300_001, concurrency: 'strict' })),
    '422 request_stale',
  )
  assert.is(await enter(envelopeOf(nothing, { issuedAtMs: START_MS - 30 * 86_400_000 - 1 })), '422 request_stale')
  assert.is(await enter(envelopeOf(nothing, { issuedAtMs: START_MS + 30_001 })), '422 request_from_future')
  assert.is(
    await enter(envelopeOf(nothing, { issuedAtMs: START_MS - 30 * 86_400_000 })),
    '422 command_invalid /command/type',
  )
  assert.is(await enter(envelopeOf(nothing, { parents: ['a'.repeat(64)] })), '422 command_invalid /command/type')
  assert.equal(node.ledger.projects(), [], 'nothing was written')

  const first = await enter(good)
  assert.match(first, /^201 /)
  assert.is(
    await enter({ ...good, signature: good.signature.slice(0, -2) }),
    first.replace('201', '200'),
    'padding is optional',
  )
  const other = envelopeOf({ ...board, title: 'Other' } as Command, { commandId: good.commandId.toUpperCase() })
  assert.is(await enter(other), '409 command_id_conflict')
  assert.match(
    await enter(
      envelopeOf(
        { type: 'board.update', boardId: BOARD, title: 'x' },
        { device: 1, commandId: randomUUID(), parents: [first.slice(4)] },
      ),
    ),
    /^201 /,
  )
  // An exact replay is accepted whatever its time and frontier, but never without authentication.
  node.clock.nowMs += 40 * 86_400_000
  assert.is(await enter(good), first.replace('201', '200'))
  devices.set(...device(1, { status: 'revoked' }))
  assert.is(await enter(good), '403 signer_revoked')
})

test('a device with narrowed scopes cannot change a card under the live claim of another device', async () => {
  const { node, engine, devices, device, enter } = start()
  const HELD = uuidOf(4)
  const place = { boardId: BOARD, columnId: COLUMN, rank: 'm' }
  let nowMs = START_MS
  const as = (n: number, command: Command): Promise<string> =>
    enter(
      envelopeOf(command, {
        device: n,
        parents: node.ledger.standing('demo').frontier.heads,
        issuedAtMs: nowMs,
      }),
    )
  await as(1, board)
  await as(1, { type: 'column.create', ...place, title: 'Column' })
  for (const cardId of [CARD, HELD]) await as(1, { type: 'card.create', ...place, cardId, title: 'Card' })
  await as(1, { type: 'claim.acquire', claimId: uuidOf(100), cardId: HELD, agent: 'ada', leaseMs: 60_000 })
  devices.set(...device(2, { scopes: ['kbd-control:demo#card,label,column,comment,link,claim', 'kbd-control:other'] }))

  const changes = (cardId: string): Command[] => [
    { type: 'card.move', cardId, ...place },
    { type: 'card.update', cardId, title: 'x' },
    { type: 'label.add', cardId, name: 'x' },
    { type: 'label.remove', cardId, name: 'x' },
    { type: 'card.archive', cardId },
    { type: 'card.restore', cardId },
    { type: 'column.rerank', columnId: COLUMN, places: [{ cardId, rank: 'n' }] },
  ]
  for (const command of changes(HELD)) assert.is(await as(2, command), '409 claim_held', command.type)
  for (const command of changes(CARD)) assert.match(await as(2, command), /^201 /, command.type)
  // Another node has judged a command of a peer by its own scopes, so it is taken.
  for (const command of changes(HELD)) {
    const parents = node.ledger.standing('demo').frontier.heads
    const proven = await engine.prove(envelopeOf(command, { device: 2, parents, issuedAtMs: nowMs }))
    assert.is((await engine.admit('demo', [proven])).added, 1, command.type)
  }
  // Words about the card stay possible, and so do all changes of the holder and of devices with a whole scope.
  const said: Command = { type: 'comment.add', commentId: uuidOf(5), cardId: HELD, bodyHash: 'a'.repeat(64) }
  assert.match(await as(2, said), /^201 /)
  devices.set(...device(1, { scopes: ['kbd-control:demo#card,label,column'] }))
  devices.set(...device(4, { scopes: ['kbd-control:demo#card', 'kbd-control:*'] }))
  for (const n of [1, 4]) for (const command of changes(HELD)) assert.match(await as(n, command), /^201 /, command.type)
  // An expired claim binds nobody.
  nowMs = node.clock.nowMs += 60_000
  for (const command of changes(HELD)) assert.match(await as(2, command), /^201 /, command.type)
})

test('blank titles and empty comments are refused at entry, in words, and taken from peers', async () => {
  const { node, engine, enter } = start()
  const blank: Command = { type: 'board.update', boardId: BOARD, title: ' \u3164' }
  const first = (await enter(envelopeOf(board, {}))).slice(4)
  assert.is(await enter(envelopeOf(blank, { parents: [first] })), '422 command_invalid /command/title')
  const bodyHash = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  const empty: Command = { type: 'comment.add', commentId: uuidOf(9), cardId: CARD, bodyHash }
  assert.is(await enter(envelopeOf(empty, { parents: [first] })), '422 command_invalid /command/bodyHash')
  const long = envelopeOf({ ...board, title: 'é'.repeat(513) } as Command, { parents: [first] })
  const error = await engine.enter('demo', toBytes(long)).catch((thrown: Error) => thrown)
  assert.match((error as Error).message, 'A title has 1 to 1024 bytes of UTF-8; this has 1026.')
  const { added } = await engine.admit('demo', [await engine.prove(envelopeOf(blank, { parents: [first] }))])
  assert.is(added, 1)
  assert.is(node.ledger.snapshot('demo').boards[BOARD]!.title, ' \u3164')
})

test('of fifty identical concurrent requests one is executed', async () => {
  const { node, enter } = start()
  const body = envelopeOf(board, {})
  const answers = await Promise.all(Array.from({ length: 50 }, () => enter(body)))
  assert.is(answers.filter((answer) => answer.startsWith('201')).length, 1)
  assert.is(answers.filter((answer) => answer.startsWith('200')).length, 49)
  assert.is(node.ledger.standing('demo').revision, 1)
})

test('commands of one commit are reported in their order, whether they wait for a turn or not', async () => {
  const reported: number[] = []
  let commit: Promise<void> | undefined
  const { node, enter } = start(undefined, {
    onApplied: ({ revision }) => void reported.push(revision),
    commit: async () => commit,
  })
  const update = (parents: readonly string[]): Promise<string> =>
    enter(envelopeOf({ type: 'board.update', boardId: BOARD, title: 'x' }, { parents }))
  const root = (await enter(envelopeOf(board, {}))).slice(4)
  const heads: string[] = []
  // A command with so many parents waits for its turn.
  for (let i = 0; i < 9; i++) heads.push((await update([root])).slice(4))
  let flush = (): void => {}
  commit = new Promise((resolve) => (flush = resolve))
  const entering = [update(heads)]
  await setImmediate()
  entering.push(update([root]))
  await setImmediate()
  flush()
  const entered = await Promise.all(entering)
  assert.ok(entered.every((answer) => answer.startsWith('201')))
  assert.equal(
    reported,
    Array.from({ length: node.ledger.standing('demo').revision }, (_, i) => i + 1),
  )
})

test('a device that is revoked while its command is verified is refused before the command takes effect', async () => {
  let revoke = (): void => {}
  const { node, devices, device, enter } = start(undefined, {
    codecs: {
      ...fakeCodecs,
      verify: (...given) => {
        queueMicrotask(() => queueMicrotask(() => revoke()))
        return fakeCodecs.verify(...given)
      },
    },
  })
  revoke = () => void devices.set(...device(1, { status: 'revoked' }))
  assert.is(await enter(envelopeOf(board, {})), '403 signer_revoked')
  assert.equal(node.ledger.projects(), [])
})

test('each invalid member of a command is named by a JSON pointer', async () => {
  const { enter } = start()
  const hash = 'a'.repeat(64)
  const place = { boardId: BOARD, columnId: COLUMN, rank: 'a' }
  const resolve = (register: string, choose: object, over: object = {}): object => ({
    ...{ type: 'conflict.resolve', conflictId: conflictIdOf(fakeCodecs, register, [hash]), register },
    ...{ candidates: [hash], choose, ...over },
  })
  const wrong: readonly [command: object, member: string][] = [
    [{}, '/command/type'],
    [{ type: 'toString' }, '/command/type'],
    [{ ...board, 'a/b~': 1 }, '/command/a~1b~0'],
    [{ type: 'board.create', boardId: BOARD }, '/command/title'],
    [{ type: 'board.archive', boardId: BOARD, archived: 1 }, '/command/archived'],
    [{ type: 'column.update', columnId: COLUMN }, '/command'],
    [{ type: 'column.rerank', columnId: COLUMN, places: [{ cardId: CARD, rank: '' }] }, '/command/places/0/rank'],
    [
      { type: 'column.rerank', columnId: COLUMN, places: [1, 2].map(() => ({ cardId: CARD, rank: 'a' })) },
      '/command/places/1/cardId',
    ],
    [{ type: 'card.update', cardId: CARD, title: null }, '/command/title'],
    [{ type: 'link.add', linkId: CARD, from: CARD, to: 'https://x.example', kind: 'blocks' }, '/command/to'],
    [{ type: 'link.add', linkId: CARD, from: CARD, to: CARD, kind: 'likes' }, '/command/kind'],
    [{ type: 'comment.add', commentId: CARD, cardId: CARD, bodyHash: null }, '/command/bodyHash'],
    [{ type: 'claim.acquire', claimId: CARD, cardId: CARD, leaseMs: 10_000 }, '/command/agent'],
    [resolve(`card/${CARD}/title`, { id: hash }, { candidates: [hash, hash] }), '/command/candidates/1'],
    [resolve(`card/${CARD}/title`, { id: hash }, { conflictId: hash }), '/command/conflictId'],
    [resolve(`card/${CARD}/claim`, { id: hash }), '/command/register'],
    [resolve(`card/${CARD}/label/x`, { id: hash }), '/command/register'],
    [resolve('card/x/title', { id: hash }), '/command/register'],
    [resolve('', {}), '/command/choose/value'],
    [resolve(`card/${CARD}/title`, { id: 'b'.repeat(64) }), '/command/choose/id'],
    [resolve(`card/${CARD}/title`, { value: 3 }), '/command/choose/value'],
    [resolve(`card/${CARD}/place`, { value: { ...place, rank: 0 } }), '/command/choose/value/rank'],
  ]
  for (const [command, member] of wrong)
    assert.is(await enter(envelopeOf(command as Command, {})), `422 command_invalid ${member}`, JSON.stringify(command))
})

test('commands of a peer are accepted if known devices signed their heads, and refused below an unknown head', async () => {
  const { engine, node, devices, device } = start()
  const root = await engine.prove(envelopeOf(board, { device: 9 }))
  const child = await engine.prove(
    envelopeOf({ type: 'board.update', boardId: BOARD, title: 'x' }, { parents: [root.id], device: 1 }),
  )
  const stray = await engine.prove(
    envelopeOf({ type: 'board.update', boardId: BOARD, title: 'y' }, { parents: [root.id], device: 8 }),
  )
  const code = async (...given: Parameters<typeof engine.admit>): Promise<string> => {
    try {
      const { accepted, refusal } = await engine.admit(...given)
      return refusal === undefined ? String(accepted) : `${accepted} ${(refusal.error as { code?: string }).code}`
    } catch (error) {
      return isSvcError(error) ? `${error.code} ${JSON.stringify(error.details)}` : String(error)
    }
  }
  assert.is(await code('demo', [root]), `signer_unknown {"index":0,"commandId":"${root.id}"}`)
  assert.is(await code('demo', [root, child, stray]), `signer_unknown {"index":2,"commandId":"${stray.id}"}`)
  assert.equal(node.ledger.projects(), [], 'nothing was stored')
  assert.is(await code('demo', [child]), '0 frontier_unknown')
  assert.is(await code('demo', [root, child]), '2')
  assert.is(await code('demo', [root, child]), '2', 'known commands are accepted again')
  devices.set(...device(8, { scopes: ['kbd-control:demo#card'] }))
  assert.match(await code('demo', [stray]), /^signer_unknown /, 'in scope for its command')
  const by = (n: number) => ({ heads: [stray.id], signerKeyId: deviceId(n) })
  assert.match(await code('demo', [stray], by(9)), /^signer_unknown /, 'below a push of a stranger')
  assert.match(await code('demo', [stray], by(8)), /^signer_unknown /, 'below a push of a device that may not push')
  assert.is(await code('demo', [stray], by(1)), '1', 'below a push that is trusted')
  assert.is(await code('other', [root]), 'project_mismatch undefined')
  const forged = { ...envelopeOf(board, { device: 9 }), issuedAtMs: 5 }
  assert.is(await engine.prove(forged).catch((error) => error.code), 'signature_invalid')
  const picky = openEngine(node, devices, { codecs: { ...fakeCodecs, isAdmissibleKey: () => false } })
  assert.is(await picky.prove(envelopeOf(board, { device: 9 })).catch((error) => error.code), 'signature_invalid')
})

test('the commands of a complete push are written all together or not at all', async () => {
  const { engine, node, devices } = start()
  const root = await engine.prove(envelopeOf(board, { device: 9 }))
  const title = (text: string, device: number) =>
    engine.prove(envelopeOf({ type: 'board.update', boardId: BOARD, title: text }, { parents: [root.id], device }))
  const [child, other] = [await title('x', 1), await title('y', 1)]
  const take = (commands: readonly (typeof root)[], heads: readonly string[], signer = 1): string => {
    const { ledger, audit } = node
    const transaction = { ledger, audit, device: (keyId: string) => devices.get(keyId) }
    try {
      const told = engine.admitIn(transaction, 'demo', commands, { heads, signerKeyId: deviceId(signer) })
      told?.()
      return told === undefined ? 'not whole' : `revision ${ledger.standing('demo').revision}`
    } catch (error) {
      return isSvcError(error) ? error.code : String(error)
    }
  }
  assert.is(take([child], [child.id]), 'frontier_unknown', 'a parent is missing')
  assert.is(take([root], [child.id]), 'not whole', 'a pinned head is missing')
  assert.is(take([root, child], []), 'not whole', 'nothing is pinned')
  assert.is(take([root, child, other], [child.id]), 'not whole', 'one command is outside of the pinned history')
  assert.is(
    take([root, child], [child.id], 9),
    'revision 2',
    'the head is of a known device, so the signer of the push does not matter',
  )
  assert.is(take([], [child.id]), 'revision 2', 'all commands are known')
  assert.is(take([root, child], [child.id]), 'revision 2', 'known commands are not applied twice')
  assert.is(take([child, other], [other.id]), 'revision 3', 'a known command may be outside of the pinned history')
  assert.equal(
    node.applied.map(({ id }) => id),
    [root.id, child.id, other.id],
  )
})

test('an envelope is stored in its canonical form', async () => {
  const { engine } = start()
  for (const command of [board, { type: 'board.update', boardId: BOARD, title: '"signerKeyId":"' }] as Command[]) {
    const { text, envelope } = await engine.prove(envelopeOf(command, {}))
    assert.is(text, fakeCodecs.canonicalText(envelope))
  }
})

test.run()
