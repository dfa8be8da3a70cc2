/** `make cluster`: what it prints works, a node that is killed comes back, and at the end nothing is left. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { missingEngines } from '../../../scripts/cluster/cluster.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { skip, testUnless } from '../../support/skip.ts'
import { noCluster, until } from './rig.ts'

const test = suite('make cluster')

const start = (env: Record<string, string>): Child =>
  startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', join(root, 'scripts/cluster/cli.ts')],
    // A folder of its own: the build would take the executable out of dist/, which other tests read.
    env: { HOME: folderWith(), SVC_DIST: folderWith(), SVC_SERVER__PORT: '0', ...env },
  })

/** A process and all that it started, and they. */
function familyOf(pid: number): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
  return [pid, ...children.flatMap(familyOf)]
}

/** Runs a line as whoever pastes it does. */
function paste(line: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
  assert.is(status, 0, `${line}\n${stderr}`)
  return stdout
}

testUnless(
  test,
  noCluster,
  'the printed lines work; a killed node comes back; SIGINT ends all and leaves nothing',
  async () => {
    const child = start({ PATH: process.env['PATH']! })
    let family: number[] = []
    let folder: string | undefined
    try {
      await child.waitFor(/Ctrl-C ends all\./, 240_000)
      family = familyOf(child.pid)
      assert.ok(family.length > 5, 'nodes, engines and their own processes')
      const lines = [...child.out.matchAll(/^ {2}(curl .*)$/gm)].map(([, line]) => line!)
      const [ready, keys, follow, publish] = lines as [string, string, string, string]
      assert.is(lines.length, 4)
      for (let n = 0; n < 4; n++) {
        assert.match(paste(`${ready} -sSf`), '"status":"ready"')
        assert.match(paste(`${keys} -sSf`), '"keys":[]')
      }
      const reader = startChild('sh', { args: ['-c', `exec ${follow} -sS`] })
      await reader.waitFor(/retry: 1000/)
      for (let n = 0; n < 3; n++) assert.match(paste(`${publish} -sSf`), 'accepted')
      await reader.waitFor(/(?:data: \{.*"hello"\}\n\n){3}/)
      await reader.stop()

      const [, second, log] = /^node 2 +process (\d+),.* log (\S+)$/m.exec(child.out)!
      folder = join(log!, '../..')
      process.kill(Number(second), 'SIGKILL')
      await child.waitFor(/^node 2 ended \(SIGKILL\)/m)
      for (let n = 0; n < 6; n++) assert.match(paste(`${keys} -sSf`), '"keys":[]')
      await child.waitFor(/^node 2 is ready again: process \d+$/m, 30_000)
      family = familyOf(child.pid)
    } finally {
      const { code } = await child.stop('SIGINT', 30_000)
      assert.is(code, 0, child.out + child.err)
    }
    await until('all processes have ended', async () => family.every((pid) => !existsSync(`/proc/${pid}`)), 5_000)
    assert.not.ok(existsSync(folder), 'the folders are gone')
  },
)

if (missingEngines().length === 0) {
  test('where an engine is not installed it says which, and how to get it', async () => {
    const child = start({ PATH: folderWith() })
    assert.is((await child.exited).code, 1)
    assert.is(
      child.err,
      'A cluster needs NATS and PostgreSQL on this machine, and nats-server is not installed.\n' +
        '  → Debian and Ubuntu: apt-get install nats-server postgresql\n',
    )
  })
} else skip(test, 'where an engine is not installed it says which', 'it says so where they are')

test.run()
