/** Boards on the shipped program: the commands of a user, and files that transfer boards to another node. */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Conflict, Project } from '../../../plugins/kbd/api.ts'
import { signCommand } from '../../../plugins/protocol/sign/index.ts'
import { openDeviceKey } from '../../../plugins/sync/api/commands/key-files.ts'
import type { PushReceipt } from '../../../plugins/sync/api.ts'
import { startChild } from '../../support/child.ts'
import { unless } from '../../support/skip.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { type Send, sendTo } from '../sync/daemon.ts'
import { type Place, program, startShipped, unbuilt, untilHealthy } from '../sync/shipped.ts'

const test = suite('boards on the program')
const it = unless(test, unbuilt)

const BOARDS = '/api/v1/kbd'
const key = ['--key', 'me.key']

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Gives a card two texts at once, and settles the conflict with a third one, which no other command names. */
async function settleTexts(place: ReturnType<typeof createPlace>, cardId: string, text: string): Promise<void> {
  const send = async (one: Send): Promise<void> => {
    const { status, text: told } = await sendTo(place, one)
    assert.is(status, 201, told)
  }
  const { frontier } = JSON.parse(await place.svc('board', 'show', '--json')) as Project
  for (const other of ['one', 'two']) {
    const command = { type: 'card.update', cardId, bodyHash: sha256(other) } as const
    const envelope = await signCommand(openDeviceKey(join(place.folder, 'me.key')), {
      project: 'demo',
      command,
      parents: frontier.heads,
    })
    const headers = { 'content-type': 'application/json' }
    await send({ method: 'POST', path: `${BOARDS}/projects/demo/commands`, headers, body: JSON.stringify(envelope) })
  }
  const headers = { 'content-type': 'application/octet-stream' }
  await send({ method: 'PUT', path: `${BOARDS}/content/${sha256(text)}`, headers, body: text })
  const [conflict] = JSON.parse(await place.svc('board', 'conflicts', '--json')) as Conflict[]
  await place.svc('board', 'resolve', ...key, conflict!.conflictId, '--value', `"${sha256(text)}"`)
}

/** The folder of a node, with functions that run the commands of its owner. */
function createPlace(): Place & {
  svc(...args: readonly string[]): Promise<string>
  fails(...args: readonly string[]): Promise<string>
} {
  const folder = createFolder()
  const place = { folder, state: join(folder, 'state'), socketPath: join(folder, 'run', 's.sock') }
  const run = async (args: readonly string[]) => {
    const child = startChild(process.execPath, {
      args: ['--disable-warning=ExperimentalWarning', program, ...args],
      cwd: folder,
      env: { HOME: folder, SVC_STORAGE__DIR: place.state, SVC_SYNC__SOCKET_PATH: place.socketPath },
    })
    return { ...(await child.exited), out: child.out, err: child.err }
  }
  return {
    ...place,
    async svc(...args) {
      const { code, out, err } = await run(args)
      assert.is(code, 0, `svc ${args.join(' ')}: ${err}`)
      return out.trim()
    },
    async fails(...args) {
      const { code, err } = await run(args)
      assert.is(code, 1, `svc ${args.join(' ')} ended with ${code}`)
      return err
    },
  }
}

it('a user enrols a device, creates a board, adds, claims, moves and pushes a card, and exports the board to another node', async () => {
  const here = createPlace()
  const service = startShipped(here)
  await untilHealthy(service, here)
  const { svc } = here
  await svc('device', 'keygen', '--out', 'me.key')
  await svc('device', 'enroll', '--key', 'me.key.pub', '--scope', 'kbd-control:demo')
  await svc('board', 'add', ...key, '--board', 'Release 1', '--columns', 'To do,Doing,Done')
  const cardId = await svc('board', 'add', ...key, 'Write the notes', '--label', 'docs')
  await svc('board', 'add', ...key, 'Write the tests')
  assert.match(await here.fails('board', 'move', ...key, 'write', 'Doing'), /More than one card begins with "write"/)
  assert.match(await here.fails('board', 'move', ...key, 'nothing', 'Doing'), /There is no card "nothing"/)
  const claimed = await svc('board', 'claim', ...key, 'write the n', '--minutes', '30', '--agent', 'ada')
  assert.match(claimed, /generation 1\tada, 30 min left/)
  assert.match(await here.fails('board', 'claim', ...key, cardId.slice(0, 8)), /409 claim_held/)
  await svc('board', 'move', ...key, cardId, 'doing')
  const shown = await svc('board', 'show')
  const heads = shown.split('\n').find((line) => line.includes('To do'))!
  assert.match(heads, /To do \(1\) +Doing \(1\) +Done \(0\)/)
  const row = shown.split('\n').find((line) => line.includes('Write the notes'))!
  assert.ok(row.indexOf('Write the notes') >= heads.indexOf('Doing'), `the card is under its column:\n${shown}`)
  assert.match(shown, /▸ (29|30) min left, ada/)
  await svc('board', 'release', ...key, cardId)
  await settleTexts(here, cardId, 'Both of them')
  const receipt = JSON.parse(await svc('push', ...key, '--domain', 'kbd-control:demo')) as PushReceipt
  const project = JSON.parse(await svc('board', 'show', '--json')) as Project
  assert.equal([receipt.frontier, receipt.revision], [project.frontier, project.revision])
  assert.is((await svc('board', 'log')).split('\n').length, project.revision)
  assert.match(await svc('audit', 'verify'), /all as they were written/)

  const file = await svc('board', 'export')
  const there = createPlace()
  const other = startShipped(there)
  await untilHealthy(other, there)
  const path = join(there.folder, 'board.ndjson')
  writeFileSync(path, `${file}\n`)
  writeFileSync(join(there.folder, 'me.key.pub'), readFileSync(join(here.folder, 'me.key.pub')))
  assert.match(await there.fails('board', 'import', path), /line 1: 404 scope_not_found/)
  await there.svc('device', 'enroll', '--key', 'me.key.pub', '--scope', 'kbd-control:demo')
  const lines = file.split('\n')
  const at = lines.findIndex((line) => line.includes('Write the notes'))
  writeFileSync(`${path}.bad`, lines.with(at, lines[at]!.replace('the notes', 'no notes')).join('\n'))
  assert.match(await there.fails('board', 'import', `${path}.bad`), new RegExp(`line ${at + 1}: 401 signature_invalid`))
  assert.is(
    (JSON.parse(await there.svc('board', 'show', '--json')) as Project).revision,
    0,
    'nothing of it was imported',
  )
  await there.svc('board', 'import', path)
  assert.equal(JSON.parse(await there.svc('board', 'show', '--json')), project, 'equal frontier, equal state')
  const card = JSON.parse(await there.svc('board', 'text', cardId, '--json')) as { readonly text: string | null }
  assert.is(card.text, 'Both of them')
  await there.svc('board', 'import', path)
  assert.is((JSON.parse(await there.svc('board', 'show', '--json')) as Project).revision, project.revision)
  await other.stop()
  await service.stop()
})

test.run()
