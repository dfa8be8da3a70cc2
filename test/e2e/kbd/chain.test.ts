/** The entries of the audit chain, and the signing of its head, on a service over its socket. */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { canonicalText } from '../../../plugins/protocol/canonical.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createSigner, type Signer, signed } from '../../unit/sync/platforms.ts'
import { type Daemon, startDaemon, stopDaemons } from '../sync/daemon.ts'
import { code, enter, envelopeOf, get, post } from './caller.ts'

test.after.each(stopDaemons)

const alice = createSigner()
const boardId = randomUUID()
const board: Command = { type: 'board.create', boardId, title: 'Release' }

interface Entry {
  readonly seq: number
  readonly kind: string
  readonly project: string | null
  readonly subject: string | null
  readonly actor: string
  readonly outcome: string
}

async function entriesOf(daemon: Daemon, query = ''): Promise<readonly Entry[]> {
  return (await get(daemon, `/api/v1/audit?limit=1000${query}`)).json()['entries'] as Entry[]
}

/** Waits until the signed head covers an entry, and returns the head. */
async function signedUpTo(daemon: Daemon, seq: number): Promise<{ readonly seq: number; readonly hash: string }> {
  let head: { readonly seq: number; readonly hash: string } | null = null
  await waitFor(`a signed head covers entry ${seq}`, async () => {
    const { checkpoint } = (await get(daemon, '/api/v1/audit/verify')).json() as { checkpoint: typeof head }
    head = checkpoint
    return checkpoint !== null && checkpoint.seq >= seq
  })
  return head!
}

test('every event is one entry with its subject, actor and project', async () => {
  const daemon = await startDaemon()
  const robot = createSigner()
  await daemon.enrol(alice, ['kbd-control:demo'])
  await daemon.enrol(robot, ['kbd-control:demo', 'kbd-control:other'])
  const { frontier } = await enter(daemon, alice, board)
  const [root] = frontier.heads as [string]
  const columnId = randomUUID()
  const cardId = randomUUID()
  const sent = await envelopeOf(alice, {
    command: { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
    parents: [root],
  })
  const column = String((await post(daemon, sent)).json()['id'])
  assert.is((await post(daemon, sent)).status, 200, 'a replay, which has no entry')
  const card: Command = { type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'Card' }
  const two = await enter(daemon, alice, card)
  const claimed = await enter(daemon, robot, {
    type: 'claim.acquire',
    claimId: randomUUID(),
    cardId,
    agent: 'robot',
    leaseMs: 60_000,
  })
  // A fork of one device, and the conflict of the two branches.
  const fork = await post(
    daemon,
    await envelopeOf(alice, { command: { type: 'card.update', cardId, title: 'One' }, parents: two.frontier.heads }),
  )
  const other = await post(
    daemon,
    await envelopeOf(alice, {
      command: { type: 'card.update', cardId, title: 'Two' },
      parents: claimed.frontier.heads,
    }),
  )
  const [conflict] = (await get(daemon, '/api/v1/kbd/projects/demo/conflicts')).json()['conflicts'] as {
    conflictId: string
    register: string
    candidates: { id: string }[]
  }[]
  const resolved = await enter(daemon, alice, {
    type: 'conflict.resolve',
    conflictId: conflict!.conflictId,
    register: conflict!.register,
    candidates: conflict!.candidates.map(({ id }) => id),
    choose: { id: conflict!.candidates[0]!.id },
  })
  const requestId = randomUUID()
  assert.is((await daemon.push(signed(alice, { issuedAtMs: Date.now(), requestId }))).status, 201)
  await daemon.revoke(robot)

  const entries = (await entriesOf(daemon)).map(({ kind, project, subject, actor, outcome }) =>
    [kind, project, subject, actor, outcome].join(' '),
  )
  const ofAlice = (kind: string, subject: unknown, outcome = 'ok'): string =>
    `${kind} demo ${String(subject)} ${alice.keyId} ${outcome}`
  assert.equal(entries, [
    `enrolment demo ${alice.keyId} owner ok`,
    // An entry for two projects names no project.
    `enrolment  ${robot.keyId} owner ok`,
    ofAlice('command', root),
    ofAlice('command', column),
    ofAlice('command', two.frontier.heads[0]),
    `claim demo ${claimed.frontier.heads[0]} ${robot.keyId} ok`,
    ofAlice('command', fork.json()['id']),
    ofAlice('command', other.json()['id']),
    ofAlice('fork', other.json()['id'], 'device_forked'),
    ofAlice('resolution', resolved.frontier.heads[0]),
    ofAlice('push', requestId),
    `revocation  ${robot.keyId} owner ok`,
  ])
  for (const word of ['Release', 'To do', 'One', sent.signature]) assert.not(entries.join('\n').includes(word), word)
})

test('refused pushes of a proven signer are recorded, equal refusals once', async () => {
  const daemon = await startDaemon()
  const [robot, gone] = [createSigner(), createSigner()]
  await daemon.enrol(alice, ['kbd-control:demo', 'kbd-content:demo', 'kbd-control:far'])
  await daemon.enrol(robot, ['kbd-control:demo#card'])
  await daemon.enrol(gone, ['kbd-control:demo'])
  await daemon.revoke(gone)
  const push = async (signer: Signer, over: object = {}): Promise<string> =>
    code(await daemon.push(signed(signer, { issuedAtMs: Date.now(), ...over })))
  const requestId = randomUUID()
  assert.is(await push(alice, { requestId }), '201 ')
  const none = '0'.repeat(64)
  const refused: readonly [expected: string, told: string | undefined, sent: Promise<string>][] = [
    ['403 signer_revoked', `demo ${gone.keyId}`, push(gone)],
    ['409 request_id_conflict', `demo ${alice.keyId}`, push(alice, { requestId, expectedFrontier: { heads: [] } })],
    ['403 domain_prohibited', ` ${alice.keyId}`, push(alice, { domain: 'system:demo' })],
    ['404 domain_not_found', ` ${alice.keyId}`, push(alice, { domain: 'other:demo' })],
    ['404 scope_not_found', ` ${alice.keyId}`, push(alice, { domain: 'kbd-control:nowhere' })],
    ['403 signer_not_in_scope', `demo ${robot.keyId}`, push(robot)],
    [
      '422 frontier_not_supported',
      `demo ${alice.keyId}`,
      push(alice, { domain: 'kbd-content:demo', expectedFrontier: { heads: [] } }),
    ],
    ['422 request_stale', `demo ${alice.keyId}`, push(alice, { issuedAtMs: Date.now() - 400_000 })],
    [
      '422 request_from_future',
      `far ${alice.keyId}`,
      push(alice, { domain: 'kbd-control:far', issuedAtMs: Date.now() + 60_000 }),
    ],
    ['422 target_invalid', `demo ${alice.keyId}`, push(alice, { targetEndpointIds: [none] })],
    ['422 target_duplicate', `demo ${alice.keyId}`, push(alice, { targetEndpointIds: [alice.hex, alice.hex] })],
    ['409 frontier_mismatch', `demo ${alice.keyId}`, push(alice, { expectedFrontier: { heads: [none] } })],
    // These have no entry: the first has an unknown signer, and the second fails because of the node.
    ['403 signer_unknown', undefined, push(createSigner())],
    ['503 transport_unavailable', undefined, push(alice, { targetEndpointIds: [alice.hex] })],
  ]
  for (const [expected, , sent] of refused) assert.is(await sent, expected)
  const scope = { headers: { 'content-type': 'application/json' }, method: 'POST', path: '/api/v1/sync/push' }
  const unsigned = await daemon.send({ ...scope, body: '{"domain":"kbd-control:demo","payload":1}' })
  assert.is(code(unsigned), '403 domain_prohibited')
  const entries = await entriesOf(daemon, '&kind=refusal')
  assert.equal(
    entries.map(({ project, actor, outcome }) => `${project ?? ''} ${actor} ${outcome}`).sort(),
    [
      ...refused.flatMap(([expected, told]) => (told === undefined ? [] : [`${told} ${expected.slice(4)}`])),
      'demo owner domain_prohibited',
    ].sort(),
  )
  const [conflict] = entries.filter(({ outcome }) => outcome === 'request_id_conflict')
  assert.is(conflict!.subject, requestId)
  for (let n = 0; n < 5; n++) assert.is(await push(robot), '403 signer_not_in_scope')
  assert.is((await entriesOf(daemon, '&kind=refusal')).length, entries.length)
})

test('refused requests with invented project names do not fill the chain', async () => {
  const daemon = await startDaemon()
  const gone = createSigner()
  await daemon.enrol(gone, ['kbd-control:*'])
  await daemon.revoke(gone)
  const before = (await entriesOf(daemon)).length
  for (let n = 0; n < 20; n++) {
    const project = `made-up-${n}`
    assert.is(
      code(await post(daemon, await envelopeOf(gone, { project, command: board, parents: [] }), project)),
      '403 signer_revoked',
    )
    const push = signed(gone, { domain: `kbd-control:${project}`, issuedAtMs: Date.now() })
    assert.is(code(await daemon.push(push)), '403 signer_revoked')
  }
  const newEntries = (await entriesOf(daemon)).slice(before)
  assert.equal(
    newEntries.map(({ project, outcome }) => [project, outcome]),
    [[null, 'signer_revoked']],
  )
})

test('the head is signed when 1 000 entries follow the last signed one, and not before', async () => {
  // The clock stands still, because a head is also signed after a minute.
  const daemon = await startDaemon({ clock: { monotonic: () => 0 } })
  await daemon.enrol(alice, ['kbd-control:demo'])
  const lines: string[] = []
  let parents: readonly string[] = []
  const { createHash } = await import('node:crypto')
  for (let n = 0; n < 1_000; n++) {
    const command: Command = n === 0 ? board : { type: 'board.update', boardId, title: `${n}` }
    const envelope = await envelopeOf(alice, { command, parents })
    const { signature: _, ...shape } = envelope
    parents = [createHash('sha256').update(canonicalText(shape)).digest('hex')]
    lines.push(JSON.stringify({ command: envelope }))
  }
  const imports = async (from: number, to: number): Promise<void> => {
    const body = lines.slice(from, to).join('\n')
    const headers = { 'content-type': 'application/x-ndjson' }
    const reply = await daemon.send({ method: 'POST', path: '/api/v1/kbd/import', headers, body })
    assert.equal(reply.json()['commands'], to - from, reply.text)
  }
  await imports(0, 998)
  await sleep(1_500)
  const early = (await get(daemon, '/api/v1/audit/verify')).json()
  assert.equal([early['ok'], early['count'], early['checkpoint']], [true, 999, null])
  await imports(998, 1_000)
  const signedHead = await signedUpTo(daemon, 1_000)
  assert.is(signedHead.seq, 1_001)
})

test('the head is signed after a minute with new entries, and not without new entries', async () => {
  let monotonicMs = 0
  const daemon = await startDaemon({ clock: { monotonic: () => monotonicMs } })
  await daemon.enrol(alice, ['kbd-control:demo'])
  monotonicMs = 59_000
  await sleep(1_500)
  assert.is((await get(daemon, '/api/v1/audit/verify')).json()['checkpoint'], null)
  monotonicMs = 61_000
  assert.is((await signedUpTo(daemon, 1)).seq, 1)
  const count = (): number => {
    const file = new DatabaseSync(join(daemon.folder, 'state', 'sync.db'), { readOnly: true })
    const { count } = file.prepare('SELECT count(*) AS count FROM audit_checkpoints').get() as { count: number }
    file.close()
    return count
  }
  monotonicMs = 200_000
  await sleep(1_500)
  assert.is(count(), 1, 'there were no new entries')
  await enter(daemon, alice, board)
  monotonicMs = 300_000
  assert.is((await signedUpTo(daemon, 2)).seq, 2)
})

test.run()
