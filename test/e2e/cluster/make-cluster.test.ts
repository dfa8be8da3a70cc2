/** `make cluster`: the printed commands work, a killed node is restarted, and nothing is left at the end. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { missingEngines } from '../../../scripts/cluster/cluster.ts'
import { clusteredNats } from '../../../scripts/cluster/engines.ts'
import { withinLimit } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { folderWith } from '../../support/folder.ts'
import { skip, testUnless } from '../../support/skip.ts'
import { hasProgram } from '../../unit/telemetry/programs.ts'
import { noCluster, until } from './rig.ts'

const test = suite('make cluster')

/** How long a build and the start of all processes may take, in milliseconds. */
const START_MS = withinLimit(240_000, 0.45)

const start = (env: Record<string, string>): Child =>
  startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', join(root, 'scripts/cluster/cli.ts')],
    // A separate folder, because the build would remove the executable from dist/, which other tests read.
    env: { HOME: folderWith(), SVC_DIST: folderWith(), SVC_SERVER__PORT: '0', NATS_SERVER: clusteredNats, ...env },
  })

/** What `read` returns for a process. Undefined if the process has ended. */
function ofProcess<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error
    return undefined
  }
}

/** A process and all its descendants. */
function familyOf(pid: number): number[] {
  const tasks = ofProcess(() => readdirSync(`/proc/${pid}/task`)) ?? []
  const children = tasks.flatMap((task) =>
    (ofProcess(() => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8')) ?? '')
      .split(' ')
      .filter(Boolean)
      .map(Number),
  )
  return [pid, ...children.flatMap(familyOf)]
}

/**
 * Checks that no password of the engines is on a command line, in a log or in the output. The nodes have one password
 * per engine.
 */
function checkSecrets(child: Child, family: readonly number[]): void {
  const of = (pid: number, file: string): string => ofProcess(() => readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? ''
  const urls = family.flatMap((pid) => of(pid, 'environ').match(/SVC_CLUSTER__(?:NATS|POSTGRES)_URL=[^\0]+/g) ?? [])
  const secrets = new Set(urls.flatMap((url) => [...url.matchAll(/\/\/\w+:(\w+)@localhost/g)].map(([, one]) => one!)))
  assert.is(secrets.size, 2, 'one of NATS, one of PostgreSQL')
  const folder = dirname(dirname(/^node 1 .* log (\S+)$/m.exec(child.out)![1]!))
  const logs = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => /(^|\/)log$/.test(name))
  assert.ok(logs.length >= 6, 'of three nodes and three servers')
  const texts = [
    ...family.map((pid) => of(pid, 'cmdline')),
    ...logs.map((name) => readFileSync(join(folder, name), 'utf8')),
    readFileSync(
      join(/[^\s\0=]*svc-postgres-[^/]+/.exec(family.map((pid) => of(pid, 'cmdline')).join(' '))![0], 'log'),
      'utf8',
    ),
    ...[child.out, child.err],
  ]
  for (const secret of secrets) for (const text of texts) assert.not.ok(text.includes(secret), text.slice(0, 200))
}

/** Runs a line in a shell. */
function paste(line: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], { encoding: 'utf8' })
  assert.is(status, 0, `${line}\n${stderr}`)
  return stdout
}

testUnless(
  test,
  noCluster,
  'the printed commands work, a killed node is restarted, and SIGINT ends all processes and leaves no files',
  async () => {
    const child = start({ PATH: process.env['PATH']! })
    let family: number[] = []
    let folder: string | undefined
    try {
      await child.waitFor(/Ctrl-C ends all\./, START_MS)
      family = familyOf(child.pid)
      assert.ok(family.length > 8, 'nodes, engines and their own processes')
      checkSecrets(child, family)
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

      assert.match(
        child.out,
        (hasProgram('grafana') || hasProgram('grafana-server')) && hasProgram('prometheus')
          ? /^Dashboard +http/m
          : /^Dashboard +.* docs\/dashboards\/svc\.json/m,
      )

      const [, second, log] = /^node 2 +process (\d+),.* log (\S+)$/m.exec(child.out)!
      folder = join(log!, '../..')
      process.kill(Number(second), 'SIGKILL')
      await child.waitFor(/^node 2 ended \(SIGKILL\)/m)
      for (let n = 0; n < 6; n++) assert.match(paste(`${keys} -sSf`), '"keys":[]')
      await child.waitFor(/^node 2 is ready again: process \d+$/m)
      const [, server] = /^NATS s2 +process (\d+), tls:/m.exec(child.out)!
      process.kill(Number(server), 'SIGKILL')
      await child.waitFor(/^NATS s2 is ready again: process \d+$/m)
      family = familyOf(child.pid)
    } finally {
      const { code } = await child.stop('SIGINT', 60_000)
      assert.is(code, 0, child.out + child.err)
    }
    await until('all processes have ended', async () => family.every((pid) => !existsSync(`/proc/${pid}`)), 60_000)
    assert.not.ok(existsSync(folder), 'the folders are gone')
  },
)

if (missingEngines().length === 0) {
  test('if an engine is not installed, make cluster names it and how to install it', async () => {
    const child = start({ PATH: folderWith(), NATS_SERVER: 'nats-server' })
    assert.is((await child.exited).code, 1)
    assert.is(
      child.err,
      'A cluster needs NATS, PostgreSQL and openssl on this machine: nats-server is not installed, openssl is not installed.\n' +
        '  → Debian 13: apt-get install nats-server postgresql openssl; elsewhere NATS_SERVER may name a newer nats-server\n',
    )
  })
} else skip(test, 'if an engine is not installed, make cluster names it', 'runs only where all engines are installed')

test.run()
