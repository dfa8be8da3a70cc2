/** The dashboard of a cluster: Grafana with a Prometheus that scrapes the nodes, if both are installed. */
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'
import { type Child, startChild } from '../child.ts'
import { freePort } from '../free-port.ts'
import { until } from '../until.ts'

/** Path of the dashboard in this project. */
const FILE = 'docs/dashboards/svc.json'

/** Longest time in milliseconds until Grafana answers; on its first start it creates its database. */
const START_LIMIT_MS = 60_000

/** Install folders of Grafana packages. */
const HOMES = ['/usr/share/grafana', '/opt/homebrew/opt/grafana/share/grafana', '/usr/local/opt/grafana/share/grafana']

/** A dashboard, or the reason why there is none. */
export interface Dashboard {
  /** The address of the dashboard, or a text that names its file. */
  readonly line: string
  stop(): Promise<void>
}

/** Options of {@link startDashboard}. */
export interface DashboardOptions {
  /** Folder for the files of Grafana and Prometheus. */
  readonly folder: string
  /** Host and port of each node. */
  readonly targets: readonly string[]
}

/**
 * Starts the dashboard if Grafana and Prometheus are installed. A failure is reported in `line`; the cluster works
 * without a dashboard.
 */
export async function startDashboard({ folder, targets }: DashboardOptions): Promise<Dashboard> {
  const missing = missingPrograms()
  if (missing !== undefined) return none(`${missing} not installed; import ${FILE} into yours`)
  const children: Child[] = []
  const stop = async (): Promise<void> => void (await Promise.all(children.map((child) => child.stop())))
  try {
    const source = await startPrometheus(join(folder, 'prometheus'), targets, children)
    const address = await startGrafana(join(folder, 'grafana'), source, children)
    const { uid } = JSON.parse(readFileSync(join(root, FILE), 'utf8')) as { readonly uid: string }
    return { line: `${address}/d/${uid}`, stop }
  } catch (error) {
    await stop()
    return none(`Grafana did not start (${(error as Error).message.split('\n')[0]}); import ${FILE} into yours`)
  }
}

/** The configuration of a Prometheus that scrapes nodes. */
export function scrapeConfig(targets: readonly string[]): string {
  const scrape_configs = [{ job_name: 'svc', static_configs: [{ targets }] }]
  // JSON is valid YAML.
  return JSON.stringify({ global: { scrape_interval: '5s' }, scrape_configs })
}

async function startPrometheus(folder: string, targets: readonly string[], children: Child[]): Promise<string> {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const config = join(folder, 'prometheus.yml')
  writeFileSync(config, scrapeConfig(targets))
  const port = await freePort()
  const args = [
    `--config.file=${config}`,
    `--storage.tsdb.path=${join(folder, 'data')}`,
    `--web.listen-address=127.0.0.1:${port}`,
  ]
  children.push(startChild('prometheus', { args, cwd: folder, isDetached: true, logFile: join(folder, 'log') }))
  return `http://127.0.0.1:${port}`
}

async function startGrafana(folder: string, source: string, children: Child[]): Promise<string> {
  const put = (kind: string, content: unknown): void => {
    const under = join(folder, 'provisioning', kind)
    mkdirSync(under, { recursive: true, mode: 0o700 })
    writeFileSync(join(under, 'svc.yml'), JSON.stringify({ apiVersion: 1, ...(content as object) }))
  }
  const prometheus = { name: 'Prometheus', type: 'prometheus', access: 'proxy', url: source, isDefault: true }
  put('datasources', { datasources: [prometheus] })
  put('dashboards', { providers: [{ name: 'svc', type: 'file', options: { path: join(root, 'docs/dashboards') } }] })
  const port = await freePort()
  const { command, args } = grafana()!
  const child = startChild(command, {
    ...{ args, cwd: folder, isDetached: true, logFile: join(folder, 'log') },
    env: {
      PATH: process.env['PATH'],
      GF_SERVER_HTTP_ADDR: '127.0.0.1',
      GF_SERVER_HTTP_PORT: String(port),
      GF_PATHS_DATA: join(folder, 'data'),
      GF_PATHS_LOGS: join(folder, 'logs'),
      GF_PATHS_PLUGINS: join(folder, 'plugins'),
      GF_PATHS_PROVISIONING: join(folder, 'provisioning'),
      GF_AUTH_ANONYMOUS_ENABLED: 'true',
      GF_SECURITY_ADMIN_PASSWORD: randomBytes(24).toString('hex'),
      GF_ANALYTICS_REPORTING_ENABLED: 'false',
      GF_ANALYTICS_CHECK_FOR_UPDATES: 'false',
      GF_ANALYTICS_CHECK_FOR_PLUGIN_UPDATES: 'false',
    },
  })
  children.push(child)
  const address = `http://127.0.0.1:${port}`
  const answers = (): Promise<boolean> =>
    fetch(`${address}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    )
  let hasEnded = false
  const end = (): void => {
    hasEnded = true
  }
  child.exited.then(end, end)
  await until('it answers', async () => hasEnded || (await answers()), START_LIMIT_MS)
  if (hasEnded) throw new Error('it ended')
  return address
}

function missingPrograms(): string | undefined {
  const isGone = { Grafana: grafana() === undefined, Prometheus: !runs('prometheus') }
  const gone = Object.entries(isGone).flatMap(([name, is]) => (is ? [name] : []))
  return gone.length === 0 ? undefined : `${gone.join(' and ')} ${gone.length === 1 ? 'is' : 'are'}`
}

/** The command that starts Grafana; undefined if it is not installed. */
function grafana(): { readonly command: string; readonly args: readonly string[] } | undefined {
  const home = HOMES.find((folder) => existsSync(folder))
  const options = home === undefined ? [] : ['--homepath', home]
  // Since version 9.4 the server is a subcommand.
  if (runs('grafana')) return { command: 'grafana', args: ['server', ...options] }
  return runs('grafana-server') ? { command: 'grafana-server', args: options } : undefined
}

function runs(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined
}

function none(line: string): Dashboard {
  return { line, stop: async () => undefined }
}
