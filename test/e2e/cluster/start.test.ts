/** A node whose engines are away at the start. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { testUnless } from '../../support/skip.ts'
import { startBuilt } from '../telemetry/built-service.ts'
import { nowhere } from './nowhere.ts'

const test = suite('cluster: the start of a node')
const program = join(distDir('server-cluster'), 'svc.mjs')
const missing = existsSync(program) ? undefined : `${program} has not been built`

testUnless(test, missing, 'a node that starts while both engines are away is alive, and not ready', async () => {
  const node = await startBuilt(nowhere, program)
  try {
    const status = async (path: string): Promise<number> => (await fetch(node.base + path)).status
    assert.equal([await status('/health'), await status('/readyz')], [200, 503])
  } finally {
    await node.stop()
  }
})

test.run()
