/** What a clock that was wrong leaves behind on the shipped program, where people see it, and that it stops nobody. */
import { createPrivateKey } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command, Project } from '../../../plugins/kbd/api.ts'
import { createDeviceKey, type HeldDeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import { unless } from '../../support/skip.ts'
import { uuidOf } from '../../unit/kbd/boards.ts'
import { type Reply, sendTo } from '../sync/daemon.ts'
import { unbuilt } from '../sync/shipped.ts'
import { createNode, type TestNode } from './node.ts'

const test = suite('clocks that were wrong')
const it = unless(test, unbuilt)
const PATH = '/api/v1/kbd/projects/demo'
const YEAR_MS = 365 * 86_400_000
const [BOARD, COLUMN, CARD, CLAIM] = [1, 2, 3, 4].map(uuidOf) as [string, string, string, string]
const place = { boardId: BOARD, columnId: COLUMN, rank: 'm' }

/** The key in the form of `svc device keygen`, for `svc board`. */
function writeKey({ folder }: TestNode, { secret }: HeldDeviceKey): void {
  const der = Buffer.concat([Buffer.from('302e020100300506032b657004220420', 'hex'), secret])
  const pem = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }).export({ format: 'pem', type: 'pkcs8' })
  writeFileSync(join(folder, 'me.key'), pem, { mode: 0o600 })
}

it('a command that is a year ahead is taken by an import, is marked, and stops nobody', async () => {
  const node = createNode()
  await node.start()
  const [wrong, right] = [await createDeviceKey(), await createDeviceKey()]
  for (const { keyId } of [wrong, right])
    await node.svc(
      'device',
      'enroll',
      '--key',
      keyId,
      '--scope',
      'kbd-control:demo#board,column,card,claim,claim.force',
    )
  const get = (path = ''): Promise<Reply> => sendTo(node, { path: PATH + path })
  const heads = async (): Promise<readonly string[]> => ((await get()).json() as unknown as Project).frontier.heads
  const sign = async (key: HeldDeviceKey, command: Command, aheadMs = 0) =>
    signCommand(key, { project: 'demo', command, parents: await heads(), issuedAtMs: Date.now() + aheadMs })
  const enter = async (key: HeldDeviceKey, command: Command, aheadMs = 0): Promise<Reply> => {
    const body = JSON.stringify(await sign(key, command, aheadMs))
    const headers = { 'content-type': 'application/json' }
    return sendTo(node, { method: 'POST', path: `${PATH}/commands`, headers, body })
  }
  const take = async (key: HeldDeviceKey, command: Command, aheadMs: number): Promise<void> => {
    const file = join(node.folder, 'board.jsonl')
    writeFileSync(file, `${JSON.stringify({ command: await sign(key, command, aheadMs) })}\n`)
    await node.svc('board', 'import', file)
  }
  const codeOf = ({ status, text }: Reply): string =>
    `${status} ${(JSON.parse(text) as { error?: { code: string } }).error?.code ?? ''}`.trim()

  for (const command of [
    { type: 'board.create', boardId: BOARD, title: 'Release 1' },
    { type: 'column.create', ...place, title: 'To do' },
    { type: 'card.create', ...place, cardId: CARD, title: 'Notes' },
  ] as const)
    assert.is(codeOf(await enter(right, command)), '201')

  // Where it enters, a wrong clock is refused; the answer has the time of the service.
  const title: Command = { type: 'card.update', cardId: CARD, title: 'Notes of next year' }
  const refused = await enter(wrong, title, YEAR_MS)
  assert.is(codeOf(refused), '422 request_from_future')
  const { nowMs } = refused.json().error as unknown as { nowMs: number }
  assert.ok(Math.abs(nowMs - Date.now()) < 60_000)

  // From others any time is taken, recorded and marked.
  await take(wrong, title, YEAR_MS)
  await take(wrong, { type: 'claim.acquire', claimId: CLAIM, cardId: CARD, agent: 'lost', leaseMs: 60_000 }, YEAR_MS)
  const audit = (await sendTo(node, { path: '/api/v1/audit' })).json() as unknown as {
    entries: { outcome: string }[]
  }
  assert.is(audit.entries.filter(({ outcome }) => outcome === 'command_from_future').length, 2)
  const listed = (await get('/commands')).json()['commands'] as { fromFuture?: boolean }[]
  assert.equal(
    listed.map(({ fromFuture = false }) => fromFuture),
    [false, false, false, true, true],
  )
  const log = (await node.svc('board', 'log')).split('\n')
  assert.is(log.filter((line) => line.endsWith('⚠ from the future')).length, 2, log.join('\n'))
  const future = (await get('/claims?state=future')).json()['claims'] as { agent: string; issuedAtMs: number }[]
  assert.equal([future.length, future[0]!.agent], [1, 'lost'])
  assert.ok(future[0]!.issuedAtMs > Date.now() + YEAR_MS - 60_000)
  const shown = ((await get()).json() as unknown as Project).claims[CLAIM]!
  assert.is(shown.issuedAtMs, future[0]!.issuedAtMs, 'the project is judged by the graph alone')

  // An honest device goes on, on top of these commands, and claims the card.
  assert.is(codeOf(await enter(right, { type: 'card.update', cardId: CARD, title: 'Notes of today' })), '201')
  writeKey(node, right)
  assert.match(await node.svc('board', 'claim', '--key', 'me.key', 'Notes', '--agent', 'ada'), /generation/)
  await node.svc('board', 'move', '--key', 'me.key', 'Notes', 'To do')
  assert.match(await node.svc('board', 'show'), /Notes of today/)
  const { etag } = (await get()).headers
  assert.is((await sendTo(node, { path: PATH, headers: { 'if-none-match': String(etag) } })).status, 304)

  // `claim force` ends what waits in the future.
  await node.svc('board', 'claim', '--key', 'me.key', 'Notes', '--force')
  assert.equal((await get('/claims?state=future')).json()['claims'], [])
  await node.stop()
})

test.run()
