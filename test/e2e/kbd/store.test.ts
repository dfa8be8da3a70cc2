/**
 * `svc store` and boards: the check compares the stored state with the fold of the commands, and verifies the audit
 * chain.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Command } from '../../../plugins/kbd/api.ts'
import { startChild } from '../../support/child.ts'
import { unless } from '../../support/skip.ts'
import { createSigner } from '../../unit/sync/platforms.ts'
import { startDaemon } from '../sync/daemon.ts'
import { program, unbuilt } from '../sync/shipped.ts'
import { enter } from './caller.ts'

const test = suite('svc store and boards')
const it = unless(test, unbuilt)
const boardId = randomUUID()
const board: Command = { type: 'board.create', boardId, title: 'Release' }
const rename = (title: string): Command => ({ type: 'board.update', boardId, title })

/** Runs `svc store` of the shipped program on the state in a folder. */
async function store(folder: string, ...args: readonly string[]) {
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program, 'store', ...args],
    env: { HOME: folder, SVC_STORAGE__DIR: join(folder, 'state') },
  })
  const { code } = await child.exited
  return { code, out: child.out.trim(), err: child.err }
}

it('info counts commands; check folds every board again, verifies the chain, and names every changed row', async () => {
  const daemon = await startDaemon()
  const alice = createSigner()
  await daemon.enrol(alice, ['kbd-control:demo', 'kbd-control:bare'])
  await enter(daemon, alice, board, rename('One'), rename('Two'))
  const { folder } = daemon
  const info = JSON.parse((await store(folder, 'info', '--json')).out) as Record<string, number>
  assert.equal([info['projects'], info['commands'], info['audit'], info['devices']], [2, 3, 4, 1])

  // A check during changes of the service sees one moment.
  let checking = true
  const checks = (async () => {
    const found = [await store(folder, 'check'), await store(folder, 'check')]
    checking = false
    return found
  })()
  let n = 0
  while (checking) await enter(daemon, alice, rename(`Title ${n++}`))
  for (const { code, out, err } of await checks) assert.equal([code, out], [0, ''], err)
  assert.ok(n > 0)
  await daemon.stop()

  const change = (sql: string): void => {
    const file = new DatabaseSync(join(folder, 'state', 'sync.db'))
    file.exec(sql)
    file.close()
  }
  const entity = `board/${boardId}`
  const damages: readonly [damage: string, mend: string, named: string][] = [
    [
      "UPDATE kbd_entries SET value = replace(value, '\"Title', '\"Titel')",
      "UPDATE kbd_entries SET value = replace(value, '\"Titel', '\"Title')",
      `board demo: kbd_entries 1 ${entity} title ${n + 3}`,
    ],
    [
      "UPDATE kbd_views SET json = json || ' '",
      'UPDATE kbd_views SET json = trim(json)',
      `board demo: kbd_views 1 boards ${boardId}`,
    ],
    ["INSERT INTO kbd_names VALUES ('h', 1, 'card/x', 0)", 'DELETE FROM kbd_names', 'board demo: kbd_names h 1 card/x'],
    [
      "UPDATE audit SET actor = 'nobody' WHERE seq = 3",
      `UPDATE audit SET actor = '${alice.keyId}' WHERE seq = 3`,
      'audit entry 3',
    ],
    [`DELETE FROM audit WHERE seq = ${n + 4}`, '', `audit entry ${n + 4}`],
  ]
  for (const [damage, mend, named] of damages) {
    change(damage)
    const { code, out, err } = await store(folder, 'check')
    assert.equal([code, out], [1, named], err)
    change(mend)
  }
})

test.run()
