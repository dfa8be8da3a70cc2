/**
 * `svc peer join -` of the shipped program reads the code from standard input, so that no list of processes shows it.
 */
import { existsSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { testUnless } from '../../support/skip.ts'
import { program } from '../sync/shipped.ts'
import { deskOf } from './desks.ts'

const unbuilt = existsSync(program) ? undefined : `${program} has not been built`

testUnless(
  test,
  unbuilt,
  'a code on standard input pairs both nodes, and a missing or cut code is refused',
  async () => {
    const [ada, bob] = [deskOf('ada'), deskOf('bob')]
    await ada.svc('device', 'keygen', '--out', 'ada.key')
    await ada.svc('device', 'enroll', '--key', 'ada.key.pub', '--scope', 'kbd-control:demo')
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
    // As `cat code | svc peer join -` gives it, with the end of a line.
    const joined = await bob.pipe(
      `${code}\n`,
      'peer',
      'join',
      '-',
      '--address',
      bob.address,
      '--label',
      'ada',
      '--devices',
    )
    assert.is(joined.code, 0, joined.err)
    assert.match(joined.err, 'Entered ada for demo. It has entered this node.')
    assert.match(joined.err, /No devices were exchanged: ada did not ask for it\. There: svc peer pair .*--devices/)
    assert.is(await bob.svc('device', 'list'), '')
    assert.match(await bob.svc('peer', 'list'), ada.address)
    assert.match(await ada.svc('peer', 'list'), bob.address)
    await ada.stop()
    await bob.stop()
  },
)

test.run()
