/** `svc mcp` of the shipped program, with the client of the MCP SDK. */
import { spawnSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startChild } from '../../support/child.ts'
import { unless } from '../../support/skip.ts'
import { unbuilt } from '../sync/shipped.ts'
import { createNode, programArgs, type TestNode } from './node.ts'

const test = suite('svc mcp')
const it = unless(test, unbuilt)

const NAMES = [
  'board_list',
  'board_show',
  'conflicts_list',
  'card_create',
  'card_edit',
  'card_label',
  'card_move',
  'card_comment',
  'card_archive',
  'card_next',
  'claim_acquire',
  'claim_renew',
  'claim_release',
  'run_report',
]

type Data = Record<string, unknown>

interface Agent {
  readonly client: Client
  /** Calls a tool that must succeed, and returns its data. The text of the answer must have the same content. */
  does(name: string, input?: Data): Promise<Data>
  /** Calls a tool that must be refused, and returns the error. */
  refused(name: string, input?: Data): Promise<{ code: string; message: string; hint: string } & Data>
  close(): Promise<void>
}

/** Starts an agent with a device that is enrolled for `scope`, or not enrolled if `scope` is undefined. */
async function createAgent(
  node: TestNode,
  name: string,
  scope: string | undefined,
  ...more: readonly string[]
): Promise<Agent> {
  await node.svc('device', 'keygen', '--out', `${name}.key`)
  if (scope !== undefined) await node.svc('device', 'enroll', '--key', `${name}.key.pub`, '--scope', scope)
  return openAgent(node, name, ...more)
}

async function openAgent(node: TestNode, name: string, ...more: readonly string[]): Promise<Agent> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...programArgs, 'mcp', '--key', `${name}.key`, '--project', 'demo', '--agent', name, ...more],
    cwd: node.folder,
    env: { ...node.env },
    stderr: 'pipe',
  })
  const client = new Client({ name: 'test', version: '1' })
  const errors: Error[] = []
  client.onerror = (error) => void errors.push(error)
  await client.connect(transport)
  // From here on the client checks every answer against the output schema of its tool.
  await client.listTools()
  const call = async (tool: string, input: Data) => {
    const answer = await client.callTool({ name: tool, arguments: input })
    assert.equal(errors, [], 'the output is only MCP')
    const [content] = answer.content as { type: string; text: string }[]
    assert.equal(JSON.parse(content!.text), answer.structuredContent)
    return { isError: answer.isError === true, data: answer.structuredContent as Data }
  }
  return {
    client,
    async does(tool, input = {}) {
      const { isError, data } = await call(tool, input)
      assert.not.ok(isError, `${tool}: ${JSON.stringify(data)}`)
      return data
    },
    async refused(tool, input = {}) {
      const { isError, data } = await call(tool, input)
      assert.ok(isError, `${tool}: ${JSON.stringify(data)}`)
      const error = data['error'] as { code: string; message: string; hint: string }
      for (const member of [error.code, error.message, error.hint]) assert.ok(member.length > 0, JSON.stringify(error))
      return error as typeof error & Data
    },
    close: () => client.close(),
  }
}

const code = async (refusal: Promise<{ code: string }>): Promise<string> => (await refusal).code

it('an agent lists, claims, renews, moves, comments and releases cards, with answers as text and as data', async () => {
  const node = createNode()
  await node.start()
  const agent = await createAgent(node, 'robot', 'kbd-control:demo')
  assert.equal(
    (await agent.client.listTools()).tools.map(({ name }) => name),
    NAMES,
  )
  for (const { name, description, inputSchema, outputSchema } of (await agent.client.listTools()).tools) {
    assert.ok(description !== undefined && description.length > 20, name)
    assert.equal([inputSchema.type, outputSchema?.type], ['object', 'object'], name)
  }
  assert.match(agent.client.getInstructions() ?? '', /Claim a card before you work on it/)

  assert.equal((await agent.does('board_list'))['boards'], [])
  assert.equal((await agent.does('board_show'))['board'], null)
  assert.is(await code(agent.refused('card_create', { title: 'Too early' })), 'not_found')
  await node.svc('board', 'add', '--key', 'robot.key', '--board', 'Release', '--columns', 'To do,Done')
  const { cardId } = await agent.does('card_create', {
    title: 'Write the notes',
    body: 'All of them.',
    labels: ['docs'],
  })
  await agent.does('card_create', { title: 'Write the tests', column: 'to' })
  const { boards } = (await agent.does('board_list')) as { boards: { title: string; columns: { cards: number }[] }[] }
  assert.equal(
    boards.map(({ title, columns }) => [title, columns.map(({ cards }) => cards)]),
    [['Release', [2, 0]]],
  )

  const { claim } = (await agent.does('claim_acquire', { card: 'write the n', leaseSeconds: 60 })) as { claim: Data }
  assert.equal([claim['cardId'], claim['generation'], claim['agent'], claim['mine']], [cardId, 1, 'robot', true])
  const renewed = (await agent.does('claim_renew', { card: cardId, leaseSeconds: 600 })) as {
    claim: Data
    nowMs: number
  }
  assert.is(renewed.claim['claimId'], claim['claimId'])
  const leftMs = (renewed.claim['expiresAtMs'] as number) - renewed.nowMs
  assert.ok(leftMs > 500_000 && leftMs <= 600_000, `${leftMs} ms left`)
  const moved = await agent.does('card_move', { card: cardId, column: 'Done' })
  await agent.does('card_comment', { card: cardId, text: 'Done – see there.' })
  type Shown = { readonly board: { readonly columns: readonly { columnId: string; cards: Data[] }[] } }
  const { board } = (await agent.does('board_show', { board: 'rel' })) as unknown as Shown
  const [todo, done] = board.columns
  assert.equal([todo!.cards.length, done!.cards.length, done!.columnId], [1, 1, moved['columnId']])
  const [card] = done!.cards
  assert.equal([card!['labels'], (card!['holder'] as Data)['claimId']], [['docs'], claim['claimId']])
  const shown = (await agent.does('board_show', { card: 'write the n' })) as {
    card: { body: string; column: string; comments: { text: string }[] }
  }
  assert.equal(
    [shown.card.body, shown.card.column, shown.card.comments.map(({ text }) => text)],
    ['All of them.', moved['columnId'], ['Done – see there.']],
  )
  assert.is((await agent.does('claim_release', { card: cardId }))['claimId'], claim['claimId'])
  assert.is(await code(agent.refused('claim_release', { card: cardId })), 'claim_not_held')
  assert.is(await code(agent.refused('claim_renew', { card: cardId })), 'claim_not_held')
  assert.equal((await agent.does('conflicts_list'))['conflicts'], [])

  // Of 20 concurrent calls one runs after the other, so the device creates no branches.
  await Promise.all(Array.from({ length: 20 }, (_, n) => agent.does('card_comment', { card: cardId, text: `${n}` })))
  const project = JSON.parse(await node.svc('board', 'show', '--json')) as { headCount: number }
  assert.is(project.headCount, 1)
  assert.match(await node.svc('audit', 'verify'), /all as they were written/)

  await node.svc('board', 'add', '--key', 'robot.key', '--board', 'Other', '--columns', 'Ideas')
  const which = await agent.refused('card_create', { title: 'Somewhere' })
  assert.is(which.code, 'ambiguous')
  assert.match(which.message, 'Other / Ideas')
  const there = await agent.does('card_create', { title: 'There', board: 'Oth' })
  const { board: other } = (await agent.does('board_show', { board: 'Other' })) as unknown as Shown
  assert.equal(
    other.columns.map(({ cards }) => cards.map(({ cardId }) => cardId)),
    [[there['cardId']]],
  )
  await agent.close()
  await node.stop()
})

it('a repeated call with its idempotency_key creates nothing', async () => {
  const node = createNode()
  const origin = await node.start()
  const token = join(node.folder, 'token')
  writeFileSync(token, await node.svc('token', '--sub', 'robot'), { mode: 0o600 })
  const agent = await createAgent(node, 'robot', 'kbd-control:demo', '--runtime', origin, '--token-file', token)
  await node.svc('board', 'add', '--key', 'robot.key', '--board', 'Release', '--columns', 'To do,Done')
  const revision = async (): Promise<unknown> => (await agent.does('board_list'))['revision']
  const calls: readonly [tool: string, input: Data][] = [
    ['card_create', { title: 'One', body: 'Text', labels: ['docs', 'new'] }],
    ['card_comment', { card: 'One', text: 'Seen' }],
    ['claim_acquire', { card: 'One' }],
    ['run_report', { state: 'started', card: 'One' }],
  ]
  for (const [tool, input] of calls) {
    const once = { ...input, idempotency_key: `key of ${tool}` }
    const first = await agent.does(tool, once)
    const before = await revision()
    const again = await agent.does(tool, once)
    // Times of answers differ.
    assert.equal({ ...again, nowMs: 0, revision: 0 }, { ...first, nowMs: 0, revision: 0 }, tool)
    assert.is(await revision(), before, tool)
  }
  // The first call failed before its labels were added.
  await agent.does('card_label', { card: 'One', remove: ['new'] })
  await agent.does('card_create', { ...calls[0]![1], labels: ['docs', 'other'], idempotency_key: 'key of card_create' })
  const { card } = (await agent.does('board_show', { card: 'One' })) as { card: Data }
  assert.equal([card['labels'], (card['comments'] as Data[]).length], [['docs', 'other'], 1])
  // A claim that has ended is not given again.
  await agent.does('claim_release', { card: 'One' })
  const ended = { card: 'One', idempotency_key: 'key of claim_acquire' }
  assert.is(await code(agent.refused('claim_acquire', ended)), 'claim_not_held')
  await agent.does('claim_acquire', { ...ended, idempotency_key: 'another' })
  await agent.close()
  // The keys hold for the device, in another process too.
  const later = await openAgent(node, 'robot')
  const same = await later.does('card_create', { title: 'One', idempotency_key: 'key of card_create' })
  assert.is(same['cardId'], card['cardId'])
  await later.close()
  await node.stop()
})

it('an agent claims the next free card of a column, and edits, labels and archives it', async () => {
  const node = createNode()
  await node.start()
  const [ada, bob] = [
    await createAgent(node, 'ada', 'kbd-control:demo'),
    await createAgent(node, 'bob', 'kbd-control:demo#card,label,claim'),
  ]
  await node.svc('board', 'add', '--key', 'ada.key', '--board', 'Release', '--columns', 'To do,Done')
  for (const title of ['One', 'Two', 'Three']) await ada.does('card_create', { title })
  const next = async (agent: Agent, more: Data = {}): Promise<unknown> =>
    (await agent.does('card_next', { column: 'To do', board: 'Rel', ...more }))['title']
  assert.is(await next(bob, { idempotency_key: 'k' }), 'One')
  assert.is(await next(bob, { idempotency_key: 'k' }), 'One')
  const both = await Promise.all([next(ada), next(bob)])
  assert.equal(both.sort(), ['Three', 'Two'])
  const none = await ada.does('card_next', { column: 'To do' })
  assert.equal([none['claim'], none['title']], [null, null])
  assert.is(await code(ada.refused('card_next', { column: 'Nowhere' })), 'not_found')

  await bob.does('card_edit', { card: 'One', title: 'First', body: 'Text', priority: 1, assignee: 'bob' })
  await bob.does('card_edit', { card: 'First', priority: null })
  await bob.does('card_label', { card: 'First', add: ['a', 'b'] })
  await bob.does('card_label', { card: 'First', remove: ['a'] })
  const { card } = (await bob.does('board_show', { card: 'First' })) as { card: Data }
  assert.equal(
    ['title', 'body', 'priority', 'assignee', 'labels'].map((name) => card[name]),
    ['First', 'Text', null, 'bob', ['b']],
  )
  for (const tool of ['card_edit', 'card_label'])
    assert.is(await code(bob.refused(tool, { card: 'First' })), 'input_invalid', tool)
  // The claim of another device stops a device that has only some scopes. A device with all scopes gets the holders in
  // its answer.
  const edited = await ada.does('card_edit', { card: 'First', title: 'The first' })
  assert.equal(
    (edited['holders'] as Data[]).map(({ agent }) => agent),
    ['bob'],
  )
  const ofAda = await titleHeldBy(ada)
  for (const [tool, input] of [
    ['card_move', { column: 'Done' }],
    ['card_edit', { title: 'x' }],
    ['card_label', { add: ['x'] }],
    ['card_archive', {}],
  ] as const) {
    const refused = await bob.refused(tool, { card: ofAda, ...input })
    assert.equal([refused.code, (refused['holder'] as Data)['agent']], ['claim_held', 'ada'], tool)
  }
  const told = await node.fails('board', 'move', '--key', 'bob.key', ofAda, 'Done')
  assert.match(told, /409 claim_held: The card is claimed\. ada holds it until \d{4}-/)
  const free = startChild(process.execPath, {
    args: [...programArgs, 'board', 'label', '--key', 'ada.key', 'The first', '--label', 'seen'],
    cwd: node.folder,
    env: node.env,
  })
  assert.is((await free.exited).code, 0, free.err)
  assert.match(free.err, /^Done, although the card is claimed\. bob holds it until \d{4}-.*\n$/)
  await bob.does('card_archive', { card: 'The first' })
  await ada.close()
  await bob.close()
  await node.stop()
})

/** The title of the card that the device of an agent holds. */
async function titleHeldBy(agent: Agent): Promise<string> {
  const { board } = (await agent.does('board_show')) as { board: { columns: { cards: Data[] }[] } }
  const cards = board.columns.flatMap(({ cards }) => cards)
  return cards.find(({ holder }) => (holder as Data | null)?.['mine'] === true)!['title'] as string
}

it('every tool is refused without its scope, and for an unknown or revoked device', async () => {
  const node = createNode()
  await node.start()
  const owner = await createAgent(node, 'owner', 'kbd-control:demo')
  await node.svc('board', 'add', '--key', 'owner.key', '--board', 'Release')
  await owner.does('card_create', { title: 'One' })
  const changes: readonly [verb: string, tool: string, input: Data][] = [
    ['card', 'card_create', { title: 'Mine' }],
    ['card', 'card_move', { card: 'One', column: 'Doing' }],
    ['comment', 'card_comment', { card: 'One', text: 'a word' }],
    ['claim', 'claim_acquire', { card: 'One' }],
    ['claim', 'claim_renew', { card: 'One' }],
    ['claim', 'claim_release', { card: 'One' }],
  ]
  for (const verb of ['card', 'comment', 'claim']) {
    const agent = await createAgent(node, `only-${verb}`, `kbd-control:demo#${verb}`)
    for (const [needed, tool, input] of changes) {
      if (needed === verb) await agent.does(tool, input)
      else if (tool === 'claim_renew' || tool === 'claim_release')
        // Without an own claim no command is signed.
        assert.is(await code(agent.refused(tool, input)), 'claim_not_held', `${verb}: ${tool}`)
      else assert.is(await code(agent.refused(tool, input)), 'signer_not_in_scope', `${verb}: ${tool}`)
    }
    await agent.does('board_show', { card: 'One' })
    await agent.close()
  }
  // A scope may name a single verb: with claim.acquire a device can neither renew nor release.
  const narrow = await createAgent(node, 'narrow', 'kbd-control:demo#claim.acquire')
  await narrow.does('claim_acquire', { card: 'One' })
  assert.is(await code(narrow.refused('claim_renew', { card: 'One' })), 'signer_not_in_scope')
  assert.is(await code(narrow.refused('claim_release', { card: 'One' })), 'signer_not_in_scope')
  const held = await owner.refused('claim_acquire', { card: 'One' })
  assert.is(held.code, 'claim_held')
  assert.is((held['holder'] as Data)['agent'], 'narrow')
  await narrow.close()

  const elsewhere = await createAgent(node, 'elsewhere', 'kbd-control:other')
  const nobody = await createAgent(node, 'nobody', undefined)
  for (const [, tool, input] of changes.slice(0, 4)) {
    assert.is(await code(elsewhere.refused(tool, input)), 'signer_not_in_scope', tool)
    assert.is(await code(nobody.refused(tool, input)), 'signer_unknown', tool)
  }
  await elsewhere.close()
  await nobody.close()
  const line = (await node.svc('device', 'list')).split('\n').find((one) => /\tactive\tkbd-control:demo$/.test(one))!
  await node.svc('device', 'revoke', line.split('\t')[0]!)
  for (const [, tool, input] of changes.slice(0, 4))
    assert.ok(['signer_revoked', 'claim_held'].includes(await code(owner.refused(tool, input))), tool)
  assert.is(await code(owner.refused('card_create', { title: 'Late' })), 'signer_revoked')
  await owner.does('board_list')
  await owner.close()
  await node.stop()
})

it('invalid inputs, unknown names and an unavailable service are reported as errors', async () => {
  const node = createNode()
  await node.start()
  const agent = await createAgent(node, 'robot', 'kbd-control:demo')
  await node.svc('board', 'add', '--key', 'robot.key', '--board', 'Release')
  for (const title of ['One', 'One more']) await agent.does('card_create', { title })
  const wrong: readonly [tool: string, input: Data][] = [
    ['card_create', {}],
    ['card_create', { title: '' }],
    ['card_create', { title: 7 }],
    ['card_create', { title: 'x'.repeat(2_000) }],
    ['card_create', { title: 'x', colour: 'red' }],
    ['claim_acquire', { card: 'One', leaseSeconds: 9 }],
    ['claim_acquire', { card: 'One', leaseSeconds: 86_401 }],
    ['claim_acquire', { card: 'One', leaseSeconds: 10.5 }],
    ['run_report', { state: 'begun' }],
    ['run_report', {}],
    ['run_report', { state: 'step' }],
  ]
  for (const [tool, input] of wrong)
    assert.is(await code(agent.refused(tool, input)), 'input_invalid', `${tool} ${JSON.stringify(input).slice(0, 80)}`)
  const unfit = await agent.refused('card_create', { title: '\u0000' })
  assert.equal([unfit.code, unfit['member']], ['command_invalid', '/command/title'])
  assert.is(await code(agent.refused('card_move', { card: 'Two', column: 'Done' })), 'not_found')
  assert.is(await code(agent.refused('card_move', { card: 'one m', column: 'Nowhere' })), 'not_found')
  assert.is(await code(agent.refused('card_move', { card: 'on', column: 'Done' })), 'ambiguous')
  assert.is(await code(agent.refused('run_report', { state: 'started' })), 'token_missing')
  const unknown = await agent.client.callTool({ name: 'board_burn', arguments: {} }).catch((error: Error) => error)
  assert.match((unknown as Error).message, /There is no tool "board_burn"/)
  await node.stop()
  for (const tool of ['board_list', 'board_show', 'conflicts_list'])
    assert.is(await code(agent.refused(tool)), 'service_away', tool)
  assert.is(await code(agent.refused('card_create', { title: 'Three' })), 'service_away')
  await node.start()
  await agent.does('card_create', { title: 'Three' })
  await agent.close()
  await node.stop()
})

it('a run is reported with a token from a file or the environment, and can be read', async () => {
  const node = createNode()
  const origin = await node.start()
  const token = await node.svc('token', '--sub', 'robot')
  const file = join(node.folder, 'token')
  writeFileSync(file, `${token}\n`, { mode: 0o600 })
  const agent = await createAgent(node, 'robot', 'kbd-control:demo', '--runtime', origin, '--token-file', 'token')
  await node.svc('board', 'add', '--key', 'robot.key', '--board', 'Release')
  const { cardId } = await agent.does('card_create', { title: 'One' })
  const { runId } = (await agent.does('run_report', { state: 'started', card: 'One' })) as { runId: string }
  await agent.does('run_report', { runId, state: 'step', text: 'read' })
  await agent.does('run_report', { runId, events: [{ type: 'CUSTOM', name: 'n', value: 1 }] })
  assert.is(await code(agent.refused('run_report', { runId, state: 'started' })), 'run_exists')
  assert.is(await code(agent.refused('run_report', { runId, events: [{ type: 'NOTHING' }] })), 'malformed_request')
  assert.is((await agent.does('run_report', { runId, state: 'message', text: 'It is done.' }))['status'], 'running')
  assert.is((await agent.does('run_report', { runId, state: 'finished' }))['status'], 'finished')
  assert.is(await code(agent.refused('run_report', { runId, state: 'message', text: 'late' })), 'run_event_order')
  const failing = (await agent.does('run_report', { state: 'started' })) as { runId: string }
  const failed = await agent.does('run_report', { runId: failing.runId, state: 'failed', text: 'no luck' })
  assert.is(failed['status'], 'failed')
  const answer = await fetch(`${origin}/api/svc/runs/${runId}`, { headers: { authorization: `Bearer ${token}` } })
  assert.is(((await answer.json()) as { thread_id: string }).thread_id, cardId)
  const stream = await fetch(`${origin}/api/svc/runs/${runId}/stream`, {
    headers: { authorization: `Bearer ${token}`, 'last-event-id': '0' },
  })
  const types = [...(await stream.text()).matchAll(/"type":"([A-Z_]+)"/g)].map(([, type]) => type)
  assert.equal(types, [
    'RUN_STARTED',
    'STEP_STARTED',
    'STEP_FINISHED',
    'CUSTOM',
    'TEXT_MESSAGE_START',
    'TEXT_MESSAGE_CONTENT',
    'TEXT_MESSAGE_END',
    'RUN_FINISHED',
  ])
  // The file is read for each report: a file that others may read is refused, and a malformed token is reported as
  // malformed.
  chmodSync(file, 0o644)
  assert.is(await code(agent.refused('run_report', { state: 'started' })), 'token_missing')
  chmodSync(file, 0o600)
  writeFileSync(file, 'nonsense')
  const malformed = await agent.refused('run_report', { state: 'started' })
  assert.is(malformed.code, 'token_malformed')
  assert.not.match(JSON.stringify(malformed), /nonsense/)
  await agent.close()

  const key = await fetch(`${origin}/api/svc/auth/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"robot"}',
  })
  const env = { ...node.env, SVC_TOKEN: ((await key.json()) as { key: string }).key }
  const withKey = await openAgent({ ...node, env }, 'robot', '--runtime', origin)
  await withKey.does('run_report', { state: 'started' })
  await withKey.close()
  const nowhere = await openAgent({ ...node, env }, 'robot', '--runtime', 'http://127.0.0.1:1')
  assert.is(await code(nowhere.refused('run_report', { state: 'started' })), 'runtime_away')
  await nowhere.close()
  await node.stop()
})

it('svc mcp ends with its input, and prints only MCP messages', async () => {
  const node = createNode()
  await node.svc('device', 'keygen', '--out', 'robot.key')
  const run = async (...args: readonly string[]) => {
    const child = startChild(process.execPath, {
      args: [...programArgs, 'mcp', ...args],
      cwd: node.folder,
      env: node.env,
    })
    const { code } = await child.exited
    return { code, out: child.out, err: child.err }
  }
  assert.equal(await run('--key', 'robot.key'), { code: 0, out: '', err: '' })
  const missing = await run('--key', 'nobody.key')
  assert.equal([missing.code, missing.out], [1, ''])
  assert.match(missing.err, /nobody\.key/)
  for (const runtime of ['http://example.com', 'ftp://127.0.0.1', 'https://a:b@example.com', 'https://example.com/x']) {
    const refused = await run('--key', 'robot.key', '--runtime', runtime)
    assert.equal([refused.code, refused.out], [64, ''], runtime)
  }
  assert.is((await run()).code, 64)
  assert.is((await run('--key', 'robot.key', '--token', 'secret')).code, 64, 'there is no argument for a token')
})

it('requests before the end of the input are answered', async () => {
  const node = createNode()
  await node.start()
  await node.svc('device', 'keygen', '--out', 'robot.key')
  await node.svc('device', 'enroll', '--key', 'robot.key.pub', '--scope', 'kbd-control:demo')
  await node.svc('board', 'add', '--key', 'robot.key', '--board', 'Release')
  // The version with batches is not offered.
  const init = { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } }
  const asked = [
    { jsonrpc: '2.0', id: 1, method: 'initialize', params: init },
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    ...['One', 'Two', 'Three'].map((title, index) => {
      return {
        jsonrpc: '2.0',
        id: index + 2,
        method: 'tools/call',
        params: { name: 'card_create', arguments: { title } },
      }
    }),
  ]
  const { stdout, stderr, status } = spawnSync(process.execPath, [...programArgs, 'mcp', '--key', 'robot.key'], {
    cwd: node.folder,
    env: node.env,
    encoding: 'utf8',
    input: asked.map((one) => `${JSON.stringify(one)}\n`).join(''),
  })
  assert.is(status, 0, stderr)
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: number; result: { isError?: true; protocolVersion?: string } })
  assert.is(answers[0]?.result.protocolVersion, '2024-11-05')
  assert.equal(
    answers.map(({ id }) => id),
    [1, 2, 3, 4],
  )
  assert.ok(
    answers.every(({ result }) => result.isError === undefined),
    stdout,
  )
  await node.stop()
})

test.run()
