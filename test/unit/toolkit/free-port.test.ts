/** Free ports for processes that need theirs in advance. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { freePort, freePorts } from '../../../scripts/free-port.ts'

test('no port is given twice, so that one process can get two of them', async () => {
  const ports = await freePorts(300)
  for (let i = 0; i < 300; i++) ports.push(await freePort())
  assert.is(new Set(ports).size, 600)
})

test.run()
