/**
 * `make cluster`: three nodes, NATS, PostgreSQL and a balancer on this machine, until Ctrl-C. With the path of a built
 * program it starts that program, and builds nothing.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSvcError } from '../../core/declare/errors.ts'
import { buildProfile } from '../build/build.ts'
import { createProgress } from '../progress.ts'
import { type Chaos, startChaos } from './chaos.ts'
import { type LocalCluster, missingEngines, startCluster } from './cluster.ts'
import { startDashboard } from './dashboard.ts'
import { type LockedEngines, startLockedEngines } from './locked-engines.ts'
import { type ClusterProcess, type Keeper, keepUp, partsOf } from './processes.ts'

const PROFILE = 'server-cluster'
const NODES = 3

/** Milliseconds before an ended process is restarted. Longer with chaos, so that clients notice. */
const RESTART_MS = 500
const CHAOS_RESTART_MS = 2_000

/** Lifetime of the token for chaos in seconds: 30 days, like the certificates. */
const CHAOS_TTL = 2_592_000

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message)
  if (isSvcError(error) && error.hint !== undefined) console.error(`  → ${error.hint}`)
  if (error.message.includes('EADDRINUSE')) console.error('  → Set SVC_SERVER__PORT to another port, or to 0 for any.')
  return 1
})

async function main(): Promise<number> {
  const chaosMs = readChaos(process.env)
  const missing = missingEngines()
  if (missing.length > 0) {
    console.error(`A cluster needs NATS, PostgreSQL and openssl on this machine: ${missing.join(', ')}.`)
    console.error(
      '  → Debian 13: apt-get install nats-server postgresql ' +
        'openssl; elsewhere NATS_SERVER may name a newer nats-server',
    )
    return 1
  }
  let stop = (): void => process.exit(1)
  // Before the cluster is up, and on a second signal, the process exits at once and kills its children.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
  const program = process.argv[2] ?? (await buildProgram())
  const folder = mkdtempSync(join(tmpdir(), 'svc-cluster-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const cluster = await startCluster({
    engines: () => startLockedEngines({ folder, program }),
    ...{ program, folder, nodes: NODES, isDetached: true },
    port: Number(process.env['SVC_SERVER__PORT'] ?? 8080),
    environment: { SVC_REALTIME__TOPICS: 'todos' },
  })
  const dashboard = await startDashboard({ folder, targets: cluster.nodes.map(({ port }) => `127.0.0.1:${port}`) })
  let stopping = false
  const asked = new Promise<void>((resolve) => {
    stop = () => {
      if (stopping) process.exit(1)
      stopping = true
      resolve()
    }
  })
  const parts = partsOf(cluster)
  const pauseMs = chaosMs === undefined ? RESTART_MS : CHAOS_RESTART_MS
  const keeper = keepUp(parts, { pauseMs, say: chaosMs === undefined ? console.log : () => undefined })
  console.log(invitation(cluster, parts, dashboard.line))
  const chaos = chaosMs === undefined ? undefined : beginChaos(cluster, { parts, keeper, everyMs: chaosMs })
  await asked
  console.log('Stopping.')
  const missed = (await chaos?.stop()) ?? 0
  keeper.stop()
  await dashboard.stop()
  await cluster.stop()
  return missed === 0 ? 0 : 1
}

async function buildProgram(): Promise<string> {
  const progress = createProgress(PROFILE)
  const { folder } = await buildProfile(PROFILE, 'pack', progress.step).finally(progress.end)
  return join(folder!, 'svc.mjs')
}

/**
 * Reads the time between two kills in milliseconds. Returns undefined if nothing is to be killed.
 * @throws Error if EVERY is not a number of seconds
 */
function readChaos({ CHAOS = '', EVERY = '' }: NodeJS.ProcessEnv): number | undefined {
  if (CHAOS === '' || CHAOS === '0') return undefined
  const seconds = Number(EVERY === '' ? 10 : EVERY)
  if (!(seconds >= 1 && seconds <= 3_600))
    throw new Error(`EVERY is a number of seconds from 1 to 3600, not "${EVERY}".`)
  return seconds * 1_000
}

function beginChaos(
  { base, token, engines: { login } }: LocalCluster<LockedEngines>,
  options: { readonly parts: readonly ClusterProcess[]; readonly keeper: Keeper; readonly everyMs: number },
): Chaos {
  console.log(
    `Chaos: a process is killed every ${options.everyMs / 1_000} ` +
      's and started again. Ctrl-C compares for the last time.',
  )
  const bearer = token('--sub', 'chaos', '--ttl', String(CHAOS_TTL))
  return startChaos({ ...options, base, login, token: bearer, say: console.log })
}

function invitation(
  { base, nodes, engines: { nats, postgres }, token }: LocalCluster<LockedEngines>,
  parts: readonly ClusterProcess[],
  dashboard: string,
): string {
  const bearer = `-H 'Authorization: Bearer ${token('--sub', 'developer', '--scope', 'live:publish')}'`
  const event = `-H 'Content-Type: application/json' -d '{"identifier":"1","operation":"insert","data":"hello"}'`
  const places = [
    ...nodes.map(({ port, logFile }) => `port ${port}, log ${logFile}`),
    ...nats.map(({ port }) => `tls://localhost:${port}`),
    `port ${postgres.port}, TLS alone`,
  ]
  return [
    '',
    'Three nodes are up, and each request goes to the next. Try:',
    '',
    `  curl ${base}/readyz`,
    `  curl ${bearer} ${base}/api/svc/auth/keys`,
    `  curl -N ${bearer} ${base}/api/live`,
    `  curl ${bearer} ${event} ${base}/api/live/todos`,
    '',
    ...parts.map(({ name, pid }, index) => `${name.padEnd(12)}process ${pid}, ${places[index]}`),
    `Dashboard   ${dashboard}`,
    '',
    'What ends is started again. Ctrl-C ends all.',
    '',
  ].join('\n')
}
