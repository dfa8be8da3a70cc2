/** svc board shows the labels of devices and the holder of a card, and retries while other commands are entered. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { boardCommand } from '../../../plugins/kbd/cli/board-command.ts'
import { deviceCommand } from '../../../plugins/sync/api/commands/device.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { stopDaemons } from '../sync/daemon.ts'
import type { Ran } from './desks.ts'
import { startNode } from './nodes.ts'
import { runIn } from './run-in.ts'

const test = suite('names in svc board')
test.after.each(stopDaemons)

test('the log, claims and refusals show labels, and the log shows titles and changes', async () => {
  const folder = createFolder()
  const device = (...args: readonly string[]): Promise<Ran> => runIn(folder, deviceCommand, args)
  const keys = { ada: join(folder, 'ada.key'), bob: join(folder, 'bob.key') }
  for (const [label, key] of Object.entries(keys)) {
    assert.is((await device('keygen', '--out', key)).code, 0)
    const ran = await device('enroll', '--key', `${key}.pub`, '--scope', 'kbd-control:demo', '--label', label)
    assert.is(ran.code, 0, ran.err)
  }
  await startNode({ folder })
  const board = (...args: readonly string[]): Promise<Ran> => runIn(folder, boardCommand, args)
  const done = async (...args: readonly string[]): Promise<string> => {
    const { code, out, err } = await board(...args)
    assert.is(code, 0, `${args.join(' ')}: ${err}`)
    return out
  }
  await done('add', '--key', keys.ada, '--board', 'Release', '--columns', 'To do,Done')
  const titles = Array.from({ length: 30 }, (_, i) => `Card ${String(i).padStart(2, '0')}`)
  await Promise.all(titles.map((title) => done('add', '--key', keys.ada, title)))
  await done('move', '--key', keys.bob, 'Card 07', 'Done')
  const log = await done('log')
  assert.is(log.match(/ {2}ada {2}card\.create {2}Card/g)?.length, 30, 'none of 30 concurrent commands is refused')
  assert.match(log, / {2}bob {2}card\.move {2}Card 07 {2}→ Done\n/)

  assert.match(await done('claim', '--key', keys.ada, 'Card 07'), /\tada, 1[45] min left/)
  assert.match(await done('show'), /min left, ada/)
  const held = await board('claim', '--key', keys.bob, 'Card 07')
  assert.is(held.code, 1)
  assert.match(held.err, /The card is claimed\. ada holds it until \d{4}-/)
  const inJson = JSON.parse((await board('claim', '--key', keys.bob, 'Card 07', '--json')).out) as {
    error: { code: string; holder: { expiresAtMs: number } }
  }
  assert.is(inJson.error.code, 'claim_held')
  assert.type(inJson.error.holder.expiresAtMs, 'number')

  writeFileSync(join(folder, 'text'), 'no key')
  for (const [file, expectedError] of [
    [`${keys.ada}.pub`, /is a public key\. --key takes the private key/],
    [join(folder, 'text'), /is no key in PEM form: svc device keygen/],
    [join(folder, 'none'), /cannot be read \(ENOENT\): svc device keygen --out/],
  ] as const) {
    const ran = await board('add', '--key', file, 'A card')
    assert.is(ran.code, 1)
    assert.match(ran.err, expectedError)
  }
})

test.run()
