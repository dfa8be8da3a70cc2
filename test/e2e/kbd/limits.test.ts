/**
 * Every limit of boards over the socket: each has its code, and a refusal has no effect except its entry in the audit
 * chain.
 */
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, CommandEnvelope, Project, Standing } from '../../../plugins/kbd/api.ts'
import { createSigner, type Signer, signed } from '../../unit/sync/platforms.ts'
import { type Daemon, type Reply, startDaemon, stopDaemons } from '../sync/daemon.ts'
import { code, enter, envelopeOf, get, PROJECT, post, put } from './caller.ts'

test.after.each(stopDaemons)

const DAY_MS = 86_400_000
const boardId = randomUUID()
const columnId = randomUUID()
const cardIds = Array.from({ length: 4 }, () => randomUUID())
const [cardId] = cardIds as [string]
const SETUP: readonly Command[] = [
  { type: 'board.create', boardId, title: 'Release' },
  { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
  ...cardIds.map(
    (id, n): Command => ({ type: 'card.create', cardId: id, boardId, columnId, rank: `V${n + 1}`, title: `Card ${n}` }),
  ),
]
const title = (text: string): Command => ({ type: 'card.update', cardId, title: text })
const acquire = (of: string, claimId = randomUUID()): Command => ({
  type: 'claim.acquire',
  claimId,
  cardId: of,
  agent: null,
  leaseMs: 60_000,
})

/** A service with a board, devices and the given settings. `head` is the last command of the board. */
async function start(given: Record<string, unknown> = {}, count = 1) {
  const daemon = await startDaemon({ given })
  const signers = Array.from({ length: count }, () => createSigner())
  for (const signer of signers) await daemon.enrol(signer, ['kbd-control:demo'])
  const { frontier } = await enter(daemon, signers[0]!, ...SETUP)
  const [head] = frontier.heads as [string]
  const send = async (signer: Signer, command: Command, parents: readonly string[] = [head], over: object = {}) =>
    post(daemon, await envelopeOf(signer, { command, parents, ...over }))
  /** Sends a command that must be accepted, and returns its id. */
  const take = async (...sent: Parameters<typeof send>): Promise<string> => {
    const reply = await send(...sent)
    assert.is(reply.status, 201, reply.text)
    return String(reply.json()['id'])
  }
  /** Sends a command that must be refused, with no effect except one entry in the audit chain. */
  const refuse = async (expected: string, ...sent: Parameters<typeof send>): Promise<Reply> => {
    const [before, entries] = [await stateOf(daemon), await refusals(daemon)]
    const reply = await send(...sent)
    assert.is(code(reply), expected, reply.text)
    assert.equal(await stateOf(daemon), before)
    const newEntries = (await refusals(daemon)).slice(entries.length)
    assert.equal(
      newEntries.map(({ actor, outcome, project }) => [actor, outcome, project]),
      [[sent[0].keyId, expected.slice(4), 'demo']],
    )
    return reply
  }
  return { daemon, signers: signers as [Signer, ...Signer[]], head, take, refuse, send }
}

/** All public data of a project. */
async function stateOf(daemon: Daemon): Promise<readonly string[]> {
  const paths = [PROJECT, `${PROJECT}/commands?limit=1000`, `${PROJECT}/conflicts`, '/api/v1/kbd/projects']
  return Promise.all(paths.map(async (path) => (await get(daemon, path)).text))
}

interface Entry {
  readonly actor: string
  readonly outcome: string
  readonly project: string | null
}

async function refusals(daemon: Daemon): Promise<readonly Entry[]> {
  return (await get(daemon, '/api/v1/audit?kind=refusal&limit=1000')).json()['entries'] as Entry[]
}

test('a command whose parents are too far behind gets 422 frontier_too_old', async () => {
  const { signers, take, refuse } = await start({ 'kbd.max_divergence': 3 }, 6)
  const tips: string[] = []
  for (const signer of signers.slice(0, 4)) tips.push(await take(signer, title(randomUUID())))
  await refuse('422 frontier_too_old', signers[4]!, title('late'))
  await take(signers[4]!, title('not late'), tips)
})

test('with over 64 heads only the lowest are listed, strict commands get 409 frontier_too_wide, and merge joins the heads', async () => {
  const { daemon, signers, head, take, refuse } = await start({}, 5)
  for (const signer of signers) for (let n = 0; n < 13; n++) await take(signer, title(`${n}`))
  const wide = (await get(daemon, PROJECT)).json() as unknown as Project
  assert.equal([wide.headCount, wide.frontier.heads.length], [65, 64])
  assert.equal(wide.frontier.heads, [...wide.frontier.heads].sort())
  const strict = { concurrency: 'strict' } as const
  await refuse('409 frontier_too_wide', signers[0], title('strict'), wide.frontier.heads, strict)
  await refuse('409 frontier_too_wide', signers[1]!, title('strict'), [head], strict)
  const listed = (await get(daemon, `${PROJECT}/conflicts`)).json() as unknown as Standing
  assert.is(listed.headCount, 65)
  const found = (await get(daemon, '/api/v1/search?q=card&project=demo')).json()
  assert.equal([found['headCount'], (found['frontier'] as { heads: unknown[] }).heads.length], [65, 64])
  // No expectedFrontier of a push can match, because there are more heads than it can name.
  const push = await daemon.push(signed(signers[0], { issuedAtMs: Date.now(), expectedFrontier: wide.frontier }))
  assert.is(code(push), '409 frontier_mismatch')
  await take(signers[0], title('together'), wide.frontier.heads)
  assert.is(((await get(daemon, PROJECT)).json() as unknown as Project).headCount, 2)
})

test('a device with too many branches gets 409 device_behind, and may join its branches', async () => {
  const { signers, take, refuse } = await start({ 'kbd.max_device_heads': 2 }, 2)
  const [alice, robot] = signers as [Signer, Signer]
  const own = [await take(robot, title('one')), await take(robot, title('two'))]
  await refuse('409 device_behind', robot, title('three'))
  await take(alice, title('another device'))
  await take(robot, title('four'), [own[0]!])
})

test('a project accepts commands up to its limit, then gives 409 project_full', async () => {
  const { signers, take, refuse } = await start({ 'kbd.max_commands': SETUP.length + 1 })
  const last = await take(signers[0], title('the last'))
  await refuse('409 project_full', signers[0], title('one more'), [last])
})

test('a device can hold claims up to the limit, then gets 409 claim_limit', async () => {
  const { signers, head, take, refuse } = await start({ 'kbd.max_claims': 2 })
  const [alice] = signers
  const claimId = randomUUID()
  const one = await take(alice, acquire(cardIds[0]!, claimId), [head])
  const two = await take(alice, acquire(cardIds[1]!), [one])
  await refuse('409 claim_limit', alice, acquire(cardIds[2]!), [two])
  const released = await take(alice, { type: 'claim.release', claimId, cardId: cardIds[0]! }, [two])
  await take(alice, acquire(cardIds[2]!), [released])
})

test('a card has labels up to the limit, then gets 422 command_invalid', async () => {
  const { signers, head, take, refuse } = await start({ 'kbd.max_labels': 2 })
  const label = (name: string): Command => ({ type: 'label.add', cardId, name })
  const one = await take(signers[0], label('a'), [head])
  const two = await take(signers[0], label('b'), [one])
  await refuse('422 command_invalid', signers[0], label('c'), [two])
})

test('a command may be 30 days old with merge, 5 minutes old with strict, 30 seconds ahead, and older than its parent', async () => {
  const daemon = await startDaemon()
  const alice = createSigner()
  await daemon.enrol(alice, ['kbd-control:demo'])
  const send = async (agoMs: number, parents: readonly string[] = [], concurrency: 'strict' | 'merge' = 'merge') =>
    post(
      daemon,
      await envelopeOf(alice, {
        command: { type: 'board.create', boardId: randomUUID(), title: 'Old' },
        parents,
        concurrency,
        issuedAtMs: Date.now() - agoMs,
      }),
    )
  assert.is(code(await send(30 * DAY_MS + 60_000)), '422 request_stale')
  assert.is(code(await send(29 * DAY_MS, [], 'strict')), '422 request_stale')
  const ahead = await send(-40_000)
  assert.is(code(ahead), '422 request_from_future')
  assert.ok(Math.abs((ahead.json().error as unknown as { nowMs: number }).nowMs - Date.now()) < 60_000)
  assert.is(code(await send(-365 * DAY_MS)), '422 request_from_future')
  const root = await send(29 * DAY_MS)
  assert.is(root.status, 201, root.text)
  const parents = [String(root.json()['id'])]
  assert.is((await send(29 * DAY_MS + 600_000, parents)).status, 201)
  assert.is((await send(-20_000, parents)).status, 201, 'within the tolerance')
})

test('a command with an unknown parent is refused until the parent exists, and a commandId is unique per project and signer', async () => {
  const { daemon, signers, head, send } = await start({}, 2)
  const [alice, robot] = signers as [Signer, Signer]
  const idOf = async (envelope: CommandEnvelope): Promise<string> => {
    const { signature: _, ...shape } = envelope
    const { canonicalText } = await import('../../../plugins/protocol/canonical.ts')
    return createHash('sha256').update(canonicalText(shape)).digest('hex')
  }
  // An id is a hash that includes the parents, so two commands cannot be parents of each other.
  const later = await envelopeOf(alice, { command: title('later'), parents: [head] })
  const child = await envelopeOf(robot, { command: title('child'), parents: [await idOf(later)] })
  assert.is(code(await post(daemon, child)), '409 frontier_unknown')
  assert.is((await post(daemon, later)).json()['id'], await idOf(later))
  assert.is((await post(daemon, child)).status, 201)

  const commandId = randomUUID()
  const first = await send(alice, title('first'), [head], { commandId: commandId.toUpperCase() })
  assert.equal([first.status, first.json()['commandId']], [201, commandId])
  const other = await send(alice, title('another content'), [head], { commandId })
  assert.is(code(other), '409 command_id_conflict')
  assert.is((await send(robot, title('of another signer'), [head], { commandId })).status, 201)
})

test('a revoked device gets 403, also for replays, and its revocation is recorded', async () => {
  const { daemon, signers, head, take } = await start({}, 2)
  const robot = signers[1]!
  const envelope = await envelopeOf(robot, { command: title('before'), parents: [head] })
  assert.is((await post(daemon, envelope)).status, 201)
  await daemon.revoke(robot)
  const before = await stateOf(daemon)
  assert.is(code(await post(daemon, envelope)), '403 signer_revoked')
  const next = await envelopeOf(robot, { command: title('after'), parents: [head] })
  assert.is(code(await post(daemon, next)), '403 signer_revoked')
  assert.equal(await stateOf(daemon), before, 'its earlier commands stay')
  await take(signers[0], title('others continue'))
  const { entries } = (await get(daemon, '/api/v1/audit?kind=revocation')).json() as {
    entries: { subject: string; actor: string; project: string; outcome: string }[]
  }
  assert.equal(
    entries.map(({ subject, actor, project, outcome }) => [subject, actor, project, outcome]),
    [[robot.keyId, 'owner', 'demo', 'ok']],
  )
})

test('unnamed content above the limit gets 429 content_full, and named content does not count', async () => {
  const { daemon, signers, head, take } = await start({ 'kbd.unnamed_content_bytes': 40_000 })
  const texts = ['a', 'b', 'c'].map((letter) => letter.repeat(9_000))
  const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'))
  const keep = (n: number): Promise<Reply> => put(daemon, texts[n]!, hashes[n]!)
  assert.equal([(await keep(0)).status, (await keep(1)).status], [201, 201])
  const full = await keep(2)
  assert.is(code(full), '429 content_full')
  assert.is(full.headers['retry-after'], '60')
  assert.is(code(await get(daemon, `/api/v1/kbd/content/${hashes[2]}`)), '404 content_not_found')
  assert.is((await keep(0)).status, 200, 'existing content is accepted')
  await take(signers[0], { type: 'card.update', cardId, bodyHash: hashes[0]! }, [head])
  assert.is((await keep(2)).status, 201)
  assert.is(code(await put(daemon, texts[0]!, hashes[1]!)), '422 content_mismatch')
})

test.run()
