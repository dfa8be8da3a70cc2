/** The routes of boards over the socket. Every answer is also checked against the OpenAPI document. */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Claim, Command, Project, Standing } from '../../../plugins/kbd/api.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { createSigner, signed } from '../../unit/sync/platforms.ts'
import { startDaemon, stopDaemons } from '../sync/daemon.ts'
import { code, enter, envelopeOf, get, PROJECT, post } from './caller.ts'

test.after.each(stopDaemons)

const alice = createSigner()
const robot = createSigner()

const boardId = randomUUID()
const [todo, done] = [randomUUID(), randomUUID()]
const cardId = randomUUID()
const SETUP: readonly Command[] = [
  { type: 'board.create', boardId, title: 'Release' },
  { type: 'column.create', columnId: todo, boardId, title: 'To do', rank: 'V' },
  { type: 'column.create', columnId: done, boardId, title: 'Done', rank: 'W' },
  { type: 'card.create', cardId, boardId, columnId: todo, rank: 'V', title: 'Write the notes' },
]

test('commands of a board are entered, replayed and read as project, card and list, with 304 for an unchanged project', async () => {
  const daemon = await startDaemon()
  assert.is(code(await get(daemon, PROJECT)), '404 project_not_found')
  await daemon.enrol(alice, ['kbd-control:demo'])
  const empty = (await get(daemon, PROJECT)).json() as unknown as Project
  assert.equal([empty.root, empty.revision, empty.frontier, empty.cards], [null, 0, { heads: [] }, {}])

  const root = await envelopeOf(alice, { command: SETUP[0]!, parents: [] })
  const first = await post(daemon, root)
  assert.is(first.status, 201)
  const { id, conflicts, revision, frontier } = first.json() as Record<string, unknown>
  assert.equal([conflicts, revision, frontier], [[], 1, { heads: [id] }])
  assert.is(first.headers['location'], undefined)
  await enter(daemon, alice, ...SETUP.slice(1))
  const again = await post(daemon, root)
  assert.is(again.status, 200)
  assert.is(again.headers['idempotent-replayed'], 'true')
  assert.is(again.json()['revision'], 4, 'the current values')
  assert.is(
    code(
      await post(
        daemon,
        await envelopeOf(alice, { command: SETUP[1]!, parents: [String(id)], commandId: root.commandId }),
      ),
    ),
    '409 command_id_conflict',
  )

  const whole = await get(daemon, PROJECT)
  const project = whole.json() as unknown as Project
  assert.equal(
    [project.root, project.revision, project.boards[boardId]?.title, project.cards[cardId]?.place?.columnId],
    [id, 4, 'Release', todo],
  )
  const etag = String(whole.headers['etag'])
  assert.is((await get(daemon, PROJECT, { 'if-none-match': `"x", W/${etag}` })).status, 304)
  await enter(daemon, alice, { type: 'card.move', cardId, boardId, columnId: done, rank: 'V' })
  const moved = await get(daemon, PROJECT, { 'if-none-match': etag })
  assert.is(moved.status, 200)
  assert.is.not(moved.headers['etag'], etag)
  assert.is((await get(daemon, `${PROJECT}/cards/${cardId}`)).json()['title'], 'Write the notes')
  assert.is(code(await get(daemon, `${PROJECT}/cards/${randomUUID()}`)), '404 entity_not_found')

  const page = (await get(daemon, `${PROJECT}/commands?limit=2`)).json() as { commands: { id: string }[]; next: string }
  assert.equal([page.commands.length, page.commands[0]?.id, page.next], [2, id, page.commands[1]?.id])
  const rest = (await get(daemon, `${PROJECT}/commands?after=${page.next}`)).json()
  assert.equal([(rest['commands'] as unknown[]).length, rest['next']], [3, null])
  for (const query of ['after=x', `after=${'0'.repeat(64)}`, 'limit=0', 'limit=1001', 'limit=x'])
    assert.is(code(await get(daemon, `${PROJECT}/commands?${query}`)), '400 malformed_request', query)

  const { projects } = (await get(daemon, '/api/v1/kbd/projects')).json() as { projects: Standing[] }
  assert.equal(
    projects.map(({ revision }) => revision),
    [5],
  )
  const status = (await get(daemon, '/api/v1/status')).json() as { endpointId: string; projects: Standing[] }
  assert.match(status.endpointId, /^[0-9a-f]{64}$/)
  assert.is(status.projects[0]?.revision, 5)
  assert.is(statSync(join(daemon.folder, 'state', 'endpoint.key')).mode & 0o777, 0o600)
  await daemon.stop()
  const later = await startDaemon({ folder: daemon.folder })
  assert.is((await get(later, '/api/v1/status')).json()['endpointId'], status.endpointId, 'the key of the first start')
  assert.is((await get(later, PROJECT)).text, moved.text, 'the same board')
})

test('refusals have their code, and none has an effect', async () => {
  const daemon = await startDaemon()
  await daemon.enrol(alice, ['kbd-control:demo'])
  await daemon.enrol(robot, ['kbd-control:demo#claim,card'])
  const { frontier } = await enter(daemon, alice, ...SETUP)
  const parents = frontier.heads
  const before = (await get(daemon, PROJECT)).text
  const title = (over: object): Command => ({ type: 'card.update', cardId, title: 'x', ...over }) as Command
  const refused: [string, string, Promise<unknown>][] = [
    [
      'an unknown project',
      '404 scope_not_found',
      envelopeOf(alice, { project: 'nowhere', command: title({}), parents }),
    ],
    [
      'a missing verb',
      '403 signer_not_in_scope',
      envelopeOf(robot, { command: { type: 'board.update', boardId, title: 'x' }, parents }),
    ],
    [
      'a claim verb does not include force',
      '403 signer_not_in_scope',
      envelopeOf(robot, {
        command: { type: 'claim.force', claimId: randomUUID(), cardId, agent: null, leaseMs: 60_000 },
        parents,
      }),
    ],
    ['a stranger', '403 signer_unknown', envelopeOf(createSigner(), { command: title({}), parents })],
    [
      'an old strict command',
      '422 request_stale',
      envelopeOf(alice, { command: title({}), parents, concurrency: 'strict', issuedAtMs: Date.now() - 400_000 }),
    ],
    [
      'a clock ahead',
      '422 request_from_future',
      envelopeOf(alice, { command: title({}), parents, issuedAtMs: Date.now() + 60_000 }),
    ],
    [
      'a title of 1 MiB',
      '413 payload_too_large',
      envelopeOf(alice, { command: title({ title: 'x'.repeat(1_048_576) }), parents }),
    ],
    [
      'a title of 1 025 bytes',
      '422 command_invalid',
      envelopeOf(alice, { command: title({ title: 'x'.repeat(1_025) }), parents }),
    ],
    ['an unknown type', '422 command_invalid', envelopeOf(alice, { command: { type: 'card.burn' } as never, parents })],
    [
      'strict on other heads',
      '409 frontier_mismatch',
      envelopeOf(alice, { command: title({}), parents: ['0'.repeat(64)], concurrency: 'strict' }),
    ],
    [
      'a parent from nowhere',
      '409 frontier_unknown',
      envelopeOf(alice, { command: title({}), parents: ['0'.repeat(64)] }),
    ],
    ['a second root', '409 frontier_mismatch', envelopeOf(alice, { command: title({}), parents: [] })],
    [
      'an unknown card',
      '404 entity_not_found',
      envelopeOf(alice, { command: title({ cardId: randomUUID() }), parents }),
    ],
    ['an existing card', '409 entity_exists', envelopeOf(alice, { command: SETUP[3]!, parents })],
    [
      'a claim that is not held',
      '409 claim_not_held',
      envelopeOf(alice, { command: { type: 'claim.release', claimId: randomUUID(), cardId }, parents }),
    ],
  ]
  for (const [name, expected, envelope] of refused) {
    const made = (await envelope) as { domain: string }
    const reply = await post(daemon, made, made.domain.split(':')[1])
    assert.is(code(reply), expected, `${name}: ${reply.text}`)
    if (expected === '422 command_invalid')
      assert.match((reply.json().error as unknown as { member: string }).member, /^\/command\//)
  }
  assert.is((await get(daemon, PROJECT)).text, before)
  const forged = { ...(await envelopeOf(alice, { command: title({}), parents })), commandId: randomUUID() }
  assert.is(code(await post(daemon, forged)), '401 signature_invalid')
  assert.is(
    code(await post(daemon, await envelopeOf(alice, { command: title({}), parents }), 'other')),
    '400 malformed_request',
  )
})

test('a claim holds a card, names its holder and expires by the clock, and pushes need the scope', async () => {
  let shiftMs = 0
  const daemon = await startDaemon({ clock: { now: () => Date.now() + shiftMs } })
  await daemon.enrol(alice, ['kbd-control:demo'])
  await daemon.enrol(robot, ['kbd-control:demo#claim'])
  await enter(daemon, alice, ...SETUP)
  const claimId = randomUUID()
  const standing = await enter(daemon, robot, {
    type: 'claim.acquire',
    claimId,
    cardId,
    agent: 'robot',
    leaseMs: 60_000,
  })
  const rival: Command = { type: 'claim.acquire', claimId: randomUUID(), cardId, agent: null, leaseMs: 60_000 }
  const held = await post(daemon, await envelopeOf(alice, { command: rival, parents: standing.frontier.heads }))
  assert.is(code(held), '409 claim_held')
  assert.is((held.json().error as unknown as { holder: Claim }).holder.claimId, claimId)
  const states = async (state: string): Promise<unknown[]> =>
    ((await get(daemon, `${PROJECT}/claims?state=${state}`)).json()['claims'] as Claim[]).map((one) => one.state)
  assert.equal([await states('held'), await states('expired')], [['held'], []])
  shiftMs = 61_000
  assert.equal([await states('held'), await states('expired')], [[], ['expired']])
  assert.is(code(await get(daemon, `${PROJECT}/claims?state=any`)), '400 malformed_request')
  assert.is(code(await daemon.push(signed(robot, { issuedAtMs: Date.now() + shiftMs }))), '403 signer_not_in_scope')
})

test('conflicts are listed in pages until they are resolved, with an ETag that changes with the project', async () => {
  const daemon = await startDaemon()
  await daemon.enrol(alice, ['kbd-control:demo'])
  const cards = Array.from({ length: 5 }, () => randomUUID())
  const made = cards.map(
    (id): Command => ({ type: 'card.create', cardId: id, boardId, columnId: todo, rank: 'V', title: 'Card' }),
  )
  const { frontier } = await enter(daemon, alice, ...SETUP, ...made)
  for (const title of ['One', 'Two'])
    for (const id of cards) {
      const command: Command = { type: 'card.update', cardId: id, title }
      assert.is((await post(daemon, await envelopeOf(alice, { command, parents: frontier.heads }))).status, 201)
    }
  interface Listed {
    readonly conflictId: string
    readonly register: string
    readonly candidates: readonly { readonly id: string }[]
  }
  type Page = { readonly conflicts: readonly Listed[]; readonly next: string | null }
  const path = `${PROJECT}/conflicts`
  const page = async (query: string): Promise<Page> => (await get(daemon, path + query)).json() as unknown as Page
  const all = await page('')
  assert.equal([all.conflicts.length, all.next], [5, null])
  const ids = all.conflicts.map(({ conflictId }) => conflictId)
  assert.equal(ids, [...ids].sort())
  const found: string[] = []
  for (let after: string | null = ''; after !== null; ) {
    const { conflicts, next }: Page = await page(`?limit=2${after === '' ? '' : `&after=${after}`}`)
    found.push(...conflicts.map(({ conflictId }) => conflictId))
    after = next
  }
  assert.equal(found, ids)
  for (const query of ['?limit=0', '?limit=1001', '?limit=x', '?after=x'])
    assert.is(code(await get(daemon, path + query)), '400 malformed_request')

  const { etag } = (await get(daemon, path)).headers
  assert.is((await get(daemon, path, { 'if-none-match': String(etag) })).status, 304)
  assert.is((await get(daemon, `${path}?limit=2`, { 'if-none-match': String(etag) })).status, 200, 'another page')
  const { conflictId, register, candidates } = all.conflicts[0]!
  assert.equal((await get(daemon, `${path}/${conflictId}`)).json(), all.conflicts[0])
  const seen = candidates.map(({ id }) => id)
  const choose = { id: seen[1]! }
  await enter(daemon, alice, { type: 'conflict.resolve', conflictId, register, candidates: seen, choose })
  assert.is(code(await get(daemon, `${path}/${conflictId}`)), '404 conflict_not_found')
  assert.is((await get(daemon, path, { 'if-none-match': String(etag) })).status, 200)
})

test('a push to a project with commands pins its frontier, and a push to a project without commands pins nothing', async () => {
  const daemon = await startDaemon()
  await daemon.enrol(alice, ['kbd-control:demo', 'kbd-content:demo', 'kbd-control:bare'])
  const push = async (over: object): Promise<PushReceipt> => {
    const reply = await daemon.push(signed(alice, { issuedAtMs: Date.now(), ...over }))
    assert.is(reply.status, 201, reply.text)
    return reply.json() as unknown as PushReceipt
  }
  const bare = await push({ domain: 'kbd-control:bare', expectedFrontier: { heads: [] } })
  assert.equal([bare.frontier, bare.revision], [null, null])
  await push({ domain: 'kbd-control:bare', expectedFrontier: { heads: [bare.canonicalPayloadHash] } })
  assert.equal(((await get(daemon, '/api/v1/kbd/projects/bare')).json() as unknown as Project).frontier, { heads: [] })

  const before = await push({ domain: 'kbd-control:demo' })
  const { frontier } = await enter(daemon, alice, ...SETUP)
  const stale = signed(alice, { issuedAtMs: Date.now(), expectedFrontier: { heads: [before.canonicalPayloadHash] } })
  assert.is(code(await daemon.push(stale)), '409 frontier_mismatch')
  const pinned = await push({ domain: 'kbd-control:demo', expectedFrontier: frontier })
  assert.equal([pinned.frontier, pinned.revision], [frontier, 4])
  await enter(daemon, alice, { type: 'card.archive', cardId })
  const read = (await get(daemon, `/api/v2/sync/pushes/${pinned.pushId}`)).json() as unknown as PushReceipt
  assert.equal([read.frontier, read.revision], [frontier, 4], 'the pinned values')
  const content = await push({ domain: 'kbd-content:demo' })
  assert.is(content.revision, 5)
})

test('the audit chain records enrolments, commands, claims, refusals and pushes, a stop signs it, and verify names a changed row', async () => {
  const daemon = await startDaemon()
  await daemon.enrol(alice, ['kbd-control:demo'])
  const { frontier } = await enter(daemon, alice, ...SETUP)
  await enter(daemon, alice, { type: 'claim.acquire', claimId: randomUUID(), cardId, agent: null, leaseMs: 60_000 })
  for (let i = 0; i < 3; i++)
    await post(daemon, await envelopeOf(alice, { command: SETUP[3]!, parents: frontier.heads }))
  await daemon.push(signed(alice, { issuedAtMs: Date.now() }))
  const page = (await get(daemon, '/api/v1/audit')).json() as { entries: { kind: string; outcome: string }[] }
  assert.equal(
    page.entries.map(({ kind, outcome }) => `${kind} ${outcome}`),
    ['enrolment ok', ...Array(4).fill('command ok'), 'claim ok', 'refusal entity_exists', 'push ok'],
    'equal refusals are one entry',
  )
  const pushes = (await get(daemon, '/api/v1/audit?kind=push&project=demo')).json() as { entries: unknown[] }
  assert.is(pushes.entries.length, 1)
  assert.equal(
    ((await get(daemon, '/api/v1/audit?after=7&limit=5')).json() as { entries: { seq: number }[] }).entries.map(
      ({ seq }) => seq,
    ),
    [8],
  )
  const fresh = (await get(daemon, '/api/v1/audit/verify')).json()
  assert.equal([fresh['ok'], fresh['count'], fresh['checkpoint']], [true, 8, null])
  await daemon.stop()

  const change = (sql: string): void => {
    const file = new DatabaseSync(join(daemon.folder, 'state', 'sync.db'))
    file.exec(sql)
    file.close()
  }
  const verdict = async (): Promise<Record<string, unknown>> => {
    const later = await startDaemon({ folder: daemon.folder })
    const found = (await get(later, '/api/v1/audit/verify')).json()
    await later.stop()
    return found
  }
  const whole = await verdict()
  assert.equal([whole['ok'], (whole['checkpoint'] as { seq: number }).seq], [true, 8])
  change("UPDATE audit SET outcome = 'no' WHERE seq = 3")
  assert.equal([(await verdict())['ok'], (await verdict())['firstBad']], [false, 3])
  change("UPDATE audit SET outcome = 'ok' WHERE seq = 3; DELETE FROM audit WHERE seq = 8")
  assert.is((await verdict())['firstBad'], 8, 'the signed checkpoint shows that the end was cut off')
})

test.run()
