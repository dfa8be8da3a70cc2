/** The dashboard of `make cluster`. */
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../../scripts/build/paths.ts'
import { type Dashboard, scrapeConfig, startDashboard } from '../../../scripts/cluster/dashboard.ts'
import { until } from '../../../scripts/until.ts'
import { folderWith } from '../../support/folder.ts'
import { testUnless } from '../../support/skip.ts'
import { hasProgram } from '../telemetry/programs.ts'

const test = suite('dashboard of make cluster')

const noPromtool = hasProgram('promtool') ? undefined : 'promtool is not installed'

testUnless(test, noPromtool, 'promtool accepts the configuration of its Prometheus', () => {
  const folder = folderWith({ 'prometheus.yml': scrapeConfig(['127.0.0.1:1', '127.0.0.1:2']) })
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', join(folder, 'prometheus.yml')], {
    encoding: 'utf8',
  })
  assert.is(status, 0, stdout + stderr)
})

/**
 * A program that stands in for Grafana and Prometheus: it keeps what it was started with in its working folder, and
 * answers where Grafana would.
 */
const standIn = `#!${process.execPath}
if (process.argv[2] === '--version') process.exit(0)
const { renameSync, writeFileSync } = require('node:fs')
writeFileSync('part', JSON.stringify({ args: process.argv.slice(2), env: process.env, pid: process.pid }))
renameSync('part', 'started.json')
require('node:http')
  .createServer(({ url }, reply) => reply.writeHead(url === '/api/health' ? 200 : 404).end())
  .listen(Number(process.env.GF_SERVER_HTTP_PORT ?? 0), '127.0.0.1')
`
const broken = `#!${process.execPath}\nprocess.exit(process.argv[2] === '--version' ? 0 : 1)\n`

/** Starts the dashboard where these programs alone are installed. */
async function startWith(programs: Readonly<Record<string, string>>): Promise<Dashboard & { readonly folder: string }> {
  const bin = folderWith(programs)
  for (const name of Object.keys(programs)) chmodSync(join(bin, name), 0o755)
  const folder = folderWith()
  const { PATH } = process.env
  process.env['PATH'] = bin
  try {
    return { ...(await startDashboard({ folder, targets: ['127.0.0.1:1'] })), folder }
  } finally {
    process.env['PATH'] = PATH
  }
}

test('where Grafana and Prometheus are installed its line is the address of the dashboard', async () => {
  for (const [program, first] of [
    ['grafana', 'server'],
    ['grafana-server', undefined],
  ] as const) {
    const { line, stop, folder } = await startWith({ prometheus: standIn, [program]: standIn })
    const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))
    const uid = JSON.parse(readFileSync(join(root, 'docs/dashboards/svc.json'), 'utf8')).uid as string
    const address = line.slice(0, -`/d/${uid}`.length)
    assert.is(line, `${address}/d/${uid}`)
    await until('Prometheus has started', async () => existsSync(join(folder, 'prometheus/started.json')), 60_000)
    const [grafana, prometheus] = [read('grafana/started.json'), read('prometheus/started.json')]
    assert.is(address, `http://127.0.0.1:${grafana.env.GF_SERVER_HTTP_PORT}`)
    assert.is(grafana.args[0] === 'server', first === 'server', program)
    assert.is(grafana.env.GF_PATHS_PROVISIONING, join(folder, 'grafana/provisioning'))
    const { datasources } = read('grafana/provisioning/datasources/svc.yml')
    assert.ok(prometheus.args.includes(datasources[0].url.replace('http://', '--web.listen-address=')))
    const { providers } = read('grafana/provisioning/dashboards/svc.yml')
    assert.is(providers[0].options.path, join(root, 'docs/dashboards'))
    await stop()
    for (const { pid } of [grafana, prometheus]) assert.throws(() => process.kill(pid, 0), /ESRCH/)
  }
})

test('where there is no dashboard its line says why', async () => {
  const none = 'import docs/dashboards/svc.json into yours'
  for (const [programs, line] of [
    [{}, `Grafana and Prometheus are not installed; ${none}`],
    [{ grafana: standIn }, `Prometheus is not installed; ${none}`],
    [{ prometheus: standIn }, `Grafana is not installed; ${none}`],
    [{ prometheus: standIn, grafana: broken }, `Grafana did not start (it ended); ${none}`],
  ] as const)
    assert.is((await startWith(programs as Readonly<Record<string, string>>)).line, line)
})

test.run()
