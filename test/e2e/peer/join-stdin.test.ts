/**
 * `svc peer join -` of the shipped program reads the code from standard input, so that no list of processes shows it.
 */
import { existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readPairingCode, toPairingCode } from '../../../plugins/peer/core/pairing/pairing-code.ts'
import { unless } from '../../support/skip.ts'
import { program } from '../sync/shipped.ts'
import { deskOf } from './desks.ts'

const unbuilt = existsSync(program) ? undefined : `${program} has not been built`
const it = unless(test, unbuilt)

it('a code on standard input pairs both nodes, and a missing or cut code is refused', async () => {
  const [ada, bob] = [deskOf('ada'), deskOf('bob')]
  await ada.svc('device', 'keygen', '--out', 'ada.key')
  await ada.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo')
  await bob.svc('device', 'keygen', '--out', 'bob.key')
  const own = (await bob.svc('device', 'enroll', '--key', 'bob.key.pub', '--scope', 'kbd-control:demo')).trim()
  await ada.serve()
  await bob.serve()
  const paired = await ada.run('peer', 'pair', '--project', 'demo', '--address', ada.address)
  assert.is(paired.code, 0, paired.err)
  assert.match(paired.err, 'svc peer join -   (it reads the code from standard input)')
  const code = paired.out.trim()

  for (const text of ['', '\n', code.slice(0, -9)]) {
    const refused = await bob.pipe(text, 'peer', 'join', '-')
    assert.is(refused.code, 1, refused.err)
    assert.not.match(refused.err, code)
  }
  // As from `cat code | svc peer join -`, with a line end. The commands in hints run without a change.
  const { secret: _, ...known } = readPairingCode(code)!
  const used = toPairingCode({ ...known, secret: 'A'.repeat(22) })
  const over = await bob.pipe(`${used}\n`, 'peer', 'join', '-', '--devices', '--project', 'demo')
  assert.match(over.err, /The peer refused: 403 .* There: svc peer pair --project demo --devices\n/)
  const open = await bob.pipe(`${code}\n`, 'peer', 'join', '-', '--address', bob.address, '--label', 'ada', '--devices')
  const [, complete] = /To share: svc (.+)\n/.exec(open.err) ?? []
  assert.is(complete, `peer join - --devices --label ada --project demo --address ${bob.address}`)
  const joined = await bob.pipe(`${code}\n`, ...complete!.split(' '))
  assert.is(joined.code, 0, joined.err)
  assert.match(joined.err, 'Entered ada for demo. It has entered this node.')
  assert.match(joined.err, 'No devices were exchanged: ada did not ask for it.')
  const [, there] = /There: svc (.+), then here: svc peer join - --devices\n$/.exec(joined.err) ?? []
  assert.is(there, 'peer pair --project demo --devices')
  assert.match((await ada.run(...there!.split(' '))).err, 'svc peer join - --devices   (it reads')
  const devices = (await bob.svc('device', 'list')).trim().split('\n')
  assert.equal(
    devices.map((line) => line.split('\t')[0]),
    [own],
    'the device of bob alone',
  )
  assert.match(await bob.svc('peer', 'list'), ada.address)
  assert.match(await ada.svc('peer', 'list'), bob.address)
  await ada.stop()
  await bob.stop()
})

test.run()
