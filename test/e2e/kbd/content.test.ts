/**
 * The life of texts of cards and comments: redacted texts are hidden at once, and unused texts are deleted after the
 * grace period.
 */
import { createHash, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock, type Timer } from '../../../core/kernel/environment.ts'
import type { Command } from '../../../plugins/kbd/api.ts'
import { waitFor } from '../../support/wait-for.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { type Daemon, startDaemon, stopDaemons } from '../sync/daemon.ts'
import { enter, get, PROJECT, put } from './caller.ts'

test.after.each(stopDaemons)

const HOUR_MS = 3_600_000
/** The period of the service's check for unused texts, in milliseconds. */
const SWEEP_MS = 600_000
const boardId = randomUUID()
const columnId = randomUUID()
const cardId = randomUUID()
const SETUP: readonly Command[] = [
  { type: 'board.create', boardId, title: 'Release' },
  { type: 'column.create', columnId, boardId, title: 'To do', rank: 'V' },
  { type: 'card.create', cardId, boardId, columnId, rank: 'V', title: 'Card' },
]

const textOf = (name: string): { readonly text: string; readonly hash: string } => {
  const text = `The text of ${name}`
  return { text, hash: createHash('sha256').update(text).digest('hex') }
}

/** A service whose wall clock and check for unused texts are controlled by the test. */
async function start(given: Record<string, unknown> = {}) {
  let shiftMs = 0
  let sweep: (() => void) | undefined
  const setTimeout = (run: () => void, delayMs: number): Timer => {
    if (delayMs !== SWEEP_MS) return systemClock.setTimeout(run, delayMs)
    sweep = run
    return systemClock.setTimeout(() => {}, 0)
  }
  const daemon = await startDaemon({ given, clock: { now: () => Date.now() + shiftMs, setTimeout } })
  // The first check runs soon after the start.
  await waitFor('the first check', () => sweep !== undefined)
  const kept = (): readonly string[] => {
    const file = new DatabaseSync(join(daemon.folder, 'state', 'sync.db'), { readOnly: true })
    const rows = file.prepare('SELECT hash FROM kbd_content ORDER BY hash').all() as { hash: string }[]
    file.close()
    return rows.map(({ hash }) => hash)
  }
  const settled = async (hashes: readonly string[]): Promise<void> => {
    const expected = [...hashes].sort()
    sweep!()
    // At least 50 turns, so that a text that is deleted too early is noticed.
    for (let turn = 0; turn < 50 || (turn < 500 && kept().join() !== expected.join()); turn++)
      await new Promise((done) => setImmediate(done))
    assert.equal(kept(), expected)
  }
  return { daemon, settled, pass: (ms: number) => void (shiftMs += ms) }
}

const keep = async (daemon: Daemon, ...names: readonly string[]): Promise<void> => {
  for (const name of names) assert.is((await put(daemon, textOf(name).text, textOf(name).hash)).status, 201)
}
const has = async (daemon: Daemon, name: string): Promise<boolean> =>
  (await get(daemon, `/api/v1/kbd/content/${textOf(name).hash}`)).status === 200

test('an unnamed text is deleted after the grace period, a named text stays, and a redacted text is hidden at once and deleted later', async () => {
  const { daemon, settled, pass } = await start()
  const [alice, robot] = [createSigner(), createSigner()]
  await daemon.enrol(alice, ['kbd-control:demo'])
  await daemon.enrol(robot, ['kbd-control:demo#comment'])
  await enter(daemon, alice, ...SETUP)
  const commentId = randomUUID()
  const [body, said, spare, edited] = ['body', 'said', 'spare', 'edited'].map((name) => textOf(name).hash) as [
    string,
    string,
    string,
    string,
  ]
  await keep(daemon, 'body', 'said', 'spare')
  await enter(daemon, alice, { type: 'card.update', cardId, bodyHash: body })
  await enter(daemon, alice, { type: 'comment.add', commentId, cardId, bodyHash: said })
  pass(23 * HOUR_MS)
  await settled([body, said, spare])
  pass(HOUR_MS)
  await settled([body, said])
  assert.equal([await has(daemon, 'body'), await has(daemon, 'spare')], [true, false])

  // Any device in scope may edit and redact a comment. The earlier text is still named by its command.
  await keep(daemon, 'edited')
  await enter(daemon, robot, { type: 'comment.edit', commentId, bodyHash: edited })
  assert.equal([await has(daemon, 'said'), await has(daemon, 'edited')], [true, true])
  await enter(daemon, robot, { type: 'comment.redact', commentId })
  assert.equal([await has(daemon, 'said'), await has(daemon, 'edited')], [false, false])
  const { comments } = (await get(daemon, `${PROJECT}/cards/${cardId}`)).json() as {
    comments: { bodyHash: unknown; redacted: boolean }[]
  }
  assert.equal(
    comments.map(({ bodyHash, redacted }) => [bodyHash, redacted]),
    [[null, true]],
  )
  await settled([body, said, edited])
  pass(24 * HOUR_MS)
  await settled([body])
  // The commands keep the hash.
  const { commands } = (await get(daemon, `${PROJECT}/commands`)).json() as {
    commands: { envelope: { command: object } }[]
  }
  assert.ok(commands.some(({ envelope }) => JSON.stringify(envelope.command).includes(said)))
  // A redacted text that is stored again stays hidden.
  await keep(daemon, 'said')
  assert.not(await has(daemon, 'said'))
})

test('the grace period is a setting', async () => {
  const { daemon, settled, pass } = await start({ 'sync.content_grace_hours': 2 })
  await keep(daemon, 'one')
  pass(2 * HOUR_MS - 60_000)
  await settled([textOf('one').hash])
  pass(60_000)
  await settled([])
})

test.run()
