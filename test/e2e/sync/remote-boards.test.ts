/**
 * Boards over the network with the shipped program: a phone has a whole board, and sees nothing that its project does
 * not name.
 */
import { createHash, randomUUID } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { unless } from '../../support/skip.ts'
import type { Signer } from '../../unit/sync/platforms.ts'
import { envelopeOf } from '../kbd/caller.ts'
import { sendTo } from './daemon.ts'
import { type Answer, codeOf, startRemote, type User } from './remote-node.ts'
import { unbuilt } from './shipped.ts'

const test = suite('boards over the network')
const it = unless(test, unbuilt)
const BOARD = '/api/svc/kbd/demo'
const BYTES = 'application/octet-stream'
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex')

interface Heads {
  readonly frontier: { readonly heads: readonly string[] }
}

/** Hands in a command on the heads of the project. */
async function enter(
  user: User,
  signer: Signer,
  command: Parameters<typeof envelopeOf>[1]['command'],
): Promise<Answer> {
  const { frontier } = (await user.send('GET', BOARD)).json as unknown as Heads
  const envelope = await envelopeOf(signer, { command, parents: frontier.heads })
  return user.send('POST', `${BOARD}/commands`, JSON.stringify(envelope))
}

it('a user makes a board, reads it whole, and the audit names the user', async () => {
  const remote = await startRemote()
  const { socketPath } = remote.node
  const ada = remote.user('ada', 'kbd:read kbd:write')
  const reader = remote.user('rita', 'kbd:read')
  const signer = await remote.device()
  const [boardId, columnId, cardId] = [randomUUID(), randomUUID(), randomUUID()]
  assert.is((await enter(ada, signer, { type: 'board.create', boardId, title: 'Release' })).status, 201)
  const column = { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' } as const
  assert.is((await enter(ada, signer, column)).status, 201)
  const text = 'The text of the card'
  const content = `${BOARD}/content/${hashOf(text)}`
  assert.is((await ada.send('PUT', content, text, BYTES)).status, 201)
  const unnamed = codeOf(await reader.send('GET', content))
  assert.is(unnamed, '404 content_not_found', 'no command names it yet')
  const card = {
    type: 'card.create',
    cardId,
    boardId,
    columnId,
    rank: 'V',
    title: 'Card',
    bodyHash: hashOf(text),
  } as const
  const envelope = await envelopeOf(signer, {
    command: card,
    parents: ((await ada.send('GET', BOARD)).json as unknown as Heads).frontier.heads,
  })
  const made = await ada.send('POST', `${BOARD}/commands`, JSON.stringify(envelope))
  assert.is(made.status, 201, made.text)
  const again = await ada.send('POST', `${BOARD}/commands`, JSON.stringify(envelope))
  assert.is(again.status, 200)
  assert.is(again.headers.get('idempotent-replayed'), 'true')

  assert.is((await reader.send('GET', content)).text, text)
  const listed = await reader.send('GET', `${BOARD}/commands?limit=2`)
  assert.is((listed.json['commands'] as unknown[]).length, 2)
  const rest = await reader.send('GET', `${BOARD}/commands?after=${listed.json['next']}`)
  assert.is((rest.json['commands'] as unknown[]).length, 1)
  const local = async (path: string): Promise<string> => (await sendTo({ socketPath }, { path })).text
  assert.is((await reader.send('GET', '/api/svc/kbd')).text, await local('/api/v1/kbd/projects'), 'the same bytes')
  assert.is((await reader.send('GET', `${BOARD}/commands`)).text, await local('/api/v1/kbd/projects/demo/commands'))
  assert.is(codeOf(await enter(reader, signer, column)), '403 forbidden')
  assert.is(codeOf(await reader.send('PUT', content, text, BYTES)), '403 forbidden')

  const { entries } = JSON.parse(await local('/api/v1/audit?kind=command')) as { entries: { user?: string }[] }
  assert.equal([...new Set(entries.map(({ user }) => user))], ['ada'])
  assert.is((JSON.parse(await local('/api/v1/audit/verify')) as { ok: unknown }).ok, true)
  assert.match(
    await remote.metrics(),
    /svc_kbd_commands_total\{surface="runtime",type="card.create",outcome="created"\} 1\n/,
  )
  await remote.node.stop()
})

it('a text of another project cannot be had by naming its hash', async () => {
  const remote = await startRemote()
  const { socketPath } = remote.node
  const ada = remote.user('ada', 'kbd:read kbd:write')
  const signer = await remote.device()
  assert.is(
    await remote.node.svc('device', 'enroll', '--key', signer.keyId, '--scope', 'kbd-control:secret'),
    signer.keyId,
  )
  const secret = 'The text of another project'
  const headers = { 'content-type': BYTES }
  const path = `/api/v1/kbd/content/${hashOf(secret)}?project=secret`
  assert.is((await sendTo({ socketPath }, { method: 'PUT', path, headers, body: secret })).status, 201)
  assert.is(codeOf(await ada.send('GET', `${BOARD}/content/${hashOf(secret)}`)), '404 content_not_found')
  await remote.node.stop()
})

it('texts that no command names are bounded for each user; signatures of commands are counted', async () => {
  const remote = await startRemote({
    SVC_KBD__UNNAMED_CONTENT_BYTES: '160000',
    SVC_SYNC__REMOTE_SIGNATURES_PER_MINUTE: '3',
  })
  const [eve, ada] = [remote.user('eve', 'kbd:read kbd:write'), remote.user('ada', 'kbd:read kbd:write')]
  const signer = await remote.device()
  const put = (user: User, text: string): Promise<Answer> =>
    user.send('PUT', `${BOARD}/content/${hashOf(text)}`, text, BYTES)
  assert.is((await put(eve, 'a'.repeat(9_000))).status, 201)
  assert.is(codeOf(await put(eve, 'b'.repeat(9_000))), '429 content_full')
  assert.is((await put(ada, 'c'.repeat(9_000))).status, 201)
  assert.is(codeOf(await eve.send('PUT', `${BOARD}/content/${hashOf('x')}`, 'y', BYTES)), '422 content_mismatch')

  const command = { type: 'board.create', boardId: randomUUID(), title: 'Board' } as const
  const envelope = await envelopeOf(signer, { command, parents: [] })
  const forged = JSON.stringify({ ...envelope, signature: `AAAA${envelope.signature.slice(4)}` })
  const codes: string[] = []
  for (let i = 0; i < 4; i++) codes.push(codeOf(await eve.send('POST', `${BOARD}/commands`, forged)))
  assert.equal(codes, [...Array<string>(3).fill('401 signature_invalid'), '429 rate_limited'])
  assert.is((await ada.send('POST', `${BOARD}/commands`, JSON.stringify(envelope))).status, 201)
  await remote.node.stop()
})

test.run()
