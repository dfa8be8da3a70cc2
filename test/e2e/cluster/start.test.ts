/** A node whose engines are away at the start. */
import { existsSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { commandsNotRun } from '../../support/page-commands/not-run.ts'
import { testUnless } from '../../support/skip.ts'
import { startBuilt, startEnvironment } from '../telemetry/built-service.ts'
import { nowhere } from './nowhere.ts'

const test = suite('cluster: the start of a node')
const program = join(distDir('server-cluster'), 'svc.mjs')
const missing = existsSync(program) ? undefined : `${program} has not been built`

testUnless(
  test,
  missing,
  'a node that starts while both engines are away is alive, not ready, and has its metrics',
  async () => {
    const node = await startBuilt(nowhere, program)
    try {
      const status = async (path: string): Promise<number> => (await fetch(node.base + path)).status
      assert.equal([await status('/health'), await status('/readyz')], [200, 503])
      // A rate does not see the first value of a series, so the series of the alerts begin with the node.
      const scrape = await (await fetch(`${node.base}/metrics`)).text()
      for (const outcome of ['written', 'moved', 'refused', 'unknown']) {
        assert.match(scrape, `\nsvc_cluster_run_appends_total{outcome="${outcome}"} 0\n`)
        assert.match(scrape, `\nsvc_cluster_run_append_duration_seconds_count{outcome="${outcome}"} 0\n`)
      }
      assert.match(scrape, '\nsvc_cluster_leader_changes_total 0\n')
      assert.match(scrape, '\nsvc_cluster_run_appends_up{engine="nats"} 0\n')
    } finally {
      await node.stop()
    }
  },
)

testUnless(
  test,
  missing,
  'addresses of two schemes end the start with 78, and the password is in no line',
  async () => {
    const SVC_CLUSTER__NATS_URL = 'nats://svc:a-password@127.0.0.1:9,tls://svc:a-password@localhost:9'
    const env = { ...startEnvironment(folderWith()), ...nowhere, SVC_CLUSTER__NATS_URL }
    const child = startChild(process.execPath, { args: ['--disable-warning=ExperimentalWarning', program], env })
    assert.is((await child.exited).code, 78, child.out + child.err)
    assert.match(child.err, 'a list of both nats:// and tls:// addresses')
    assert.not.match(child.out + child.err, 'a-password')
  },
)

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
  const [, base] = await node.waitFor(/Listening\..*?"address":"([^"]+)"/, 60_000)
  assert.is((await fetch(`http://${base}/health`)).status, 200)
  assert.is((await node.stop()).code, 0, node.err)
})

test.run()
