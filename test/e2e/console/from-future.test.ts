/** The console marks a command whose time was ahead of the clock of the service when the service took it. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createDeviceKey, signCommand } from '../../../plugins/protocol/sign/index.ts'
import { idOfCommand } from '../../../plugins/protocol/sign/verify.ts'
import { uuidOf } from '../../unit/kbd/boards.ts'
import { openConsole, pageTest, startPageNode, violationsIn } from './pages.ts'

const YEAR_MS = 365 * 86_400_000
const [BOARD, COLUMN, CARD] = [1, 2, 3].map(uuidOf) as [string, string, string]
const place = { boardId: BOARD, columnId: COLUMN, rank: 'm' }

pageTest('the history of a card marks a command from the future', async (browser) => {
  const node = await startPageNode()
  const key = await createDeviceKey()
  await node.svc('device', 'enroll', '--key', key.keyId, '--scope', 'kbd-control:demo')
  const lines: string[] = []
  for (const [i, command] of (
    [
      { type: 'board.create', boardId: BOARD, title: 'Release 1' },
      { type: 'column.create', ...place, title: 'To do' },
      { type: 'card.create', ...place, cardId: CARD, title: 'Notes' },
      { type: 'card.update', cardId: CARD, title: 'Notes of next year' },
    ] as const
  ).entries()) {
    const parents = lastOf(lines)
    const issuedAtMs = Date.now() + (i === 3 ? YEAR_MS : 0)
    lines.push(JSON.stringify({ command: await signCommand(key, { project: 'demo', command, parents, issuedAtMs }) }))
  }
  const file = join(node.folder, 'board.jsonl')
  writeFileSync(file, `${lines.join('\n')}\n`)
  await node.svc('board', 'import', file)
  const console = await openConsole(node, browser)
  const { page } = console
  await console.go(`/boards/demo/${BOARD}?card=${CARD}`)
  const entries = page.locator('.history > li')
  await entries.nth(1).locator('.badge', { hasText: 'verified' }).waitFor()
  const marks = await entries.evaluateAll((all) =>
    all.map((one) => (one.textContent ?? '').includes('from the future')),
  )
  assert.equal(marks, [true, false])
  assert.equal(await violationsIn(page), [])
  assert.equal(console.faults, [])
  await console.close()
  await node.stop()
})

/** The id of the last command, as the parents of the next one. */
function lastOf(lines: readonly string[]): readonly string[] {
  const last = lines.at(-1)
  return last === undefined ? [] : [idOfCommand((JSON.parse(last) as { command: object }).command)]
}

test.run()
