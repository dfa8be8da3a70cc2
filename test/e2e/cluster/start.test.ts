/** A node whose engines are away, from the start. */
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { commandsNotRun } from '../../support/page-commands/not-run.ts'
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

testUnless(test, missing, 'the command of docs/cluster.md starts a node, with the secrets from files', async () => {
  const commands = commandsNotRun('docs/cluster.md', 'make build PROFILE=server-cluster')
  const line = commands
    .at(-1)!
    .replace(/…@[\w.]+/g, 'password@127.0.0.1:9')
    .replace(':9:4222', ':9')
  assert.match(line, /SVC_\w+/)
  const secret = 'a secret of this test, which is long enough for both'
  const folder = folderWith({ 'exchange.secret': secret, 'jwt.secret': `${secret}\n` })
  symlinkSync(distDir(''), join(folder, 'dist'))
  symlinkSync(process.execPath, join(folder, 'node'))
  const env = {
    PATH: `${folder}:${process.env['PATH']}`,
    HOME: folder,
    SVC_SERVER__PORT: '0',
    SVC_STORAGE__DIR: join(folder, 'state'),
  }
  // The shell becomes the node, so that the node gets the signal.
  const node = startChild('sh', { args: ['-c', line.replace('node dist/', 'exec node dist/')], cwd: folder, env })
  const [, base] = await node.waitFor(/Listening\..*?"address":"([^"]+)"/, 20_000)
  assert.is((await fetch(`http://${base}/health`)).status, 200)
  assert.is((await node.stop()).code, 0, node.err)
})

test.run()
