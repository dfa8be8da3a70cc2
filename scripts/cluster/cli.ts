/** `make cluster`: three nodes, NATS, PostgreSQL and a balancer on this machine, until Ctrl-C. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isSvcError } from '../../core/errors.ts'
import { buildProfile } from '../build/build.ts'
import { createProgress } from '../progress.ts'
import { type LocalCluster, missingEngines, startCluster } from './cluster.ts'
import type { ClusterNode } from './node.ts'

const PROFILE = 'server-cluster'
const NODES = 3

/** How long a node that ended is left alone, in milliseconds. */
const RESTART_MS = 500

process.exitCode = await main().catch((error: Error) => {
  console.error(error.message)
  if (isSvcError(error) && error.hint !== undefined) console.error(`  → ${error.hint}`)
  if (error.message.includes('EADDRINUSE')) console.error('  → Set SVC_SERVER__PORT to another port, or to 0 for any.')
  return 1
})

async function main(): Promise<number> {
  const missing = missingEngines()
  if (missing.length > 0) {
    console.error(`A cluster needs NATS and PostgreSQL on this machine, and ${missing.join(', and ')}.`)
    console.error('  → Debian and Ubuntu: apt-get install nats-server postgresql')
    return 1
  }
  let stop = (): void => process.exit(1)
  // Before all is up, and the second time, nothing is waited for: what was started ends with this process.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop())
  const progress = createProgress(PROFILE)
  const built = await buildProfile(PROFILE, 'pack', progress.step).finally(progress.end)
  const folder = mkdtempSync(join(tmpdir(), 'svc-cluster-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  const cluster = await startCluster({
    program: join(built.folder!, 'svc.mjs'),
    folder,
    nodes: NODES,
    port: Number(process.env['SVC_SERVER__PORT'] ?? 8080),
    environment: { SVC_REALTIME__TOPICS: 'todos' },
  })
  let stopping = false
  const asked = new Promise<void>((resolve) => {
    stop = () => {
      if (stopping) process.exit(1)
      stopping = true
      resolve()
    }
  })
  cluster.nodes.forEach((node, index) => void watch(node, `node ${index + 1}`, () => stopping))
  console.log(invitation(cluster))
  await asked
  console.log('Stopping.')
  await cluster.stop()
  return 0
}

/** Starts a node again whenever it has ended. */
async function watch(node: ClusterNode, name: string, isOver: () => boolean): Promise<void> {
  for (;;) {
    const { code, signal } = await node.exited
    if (isOver()) return
    console.log(`${name} ended (${signal ?? code}), and is started again.`)
    await new Promise((resolve) => setTimeout(resolve, RESTART_MS))
    if (isOver()) return
    try {
      await node.start()
      console.log(`${name} is ready again: process ${node.pid}`)
    } catch (error) {
      if (!isOver()) console.error((error as Error).message)
    }
  }
}

function invitation({ base, nodes, nats, postgres, token }: LocalCluster): string {
  const bearer = `-H 'Authorization: Bearer ${token('--sub', 'developer', '--scope', 'live:publish')}'`
  const event = `-H 'Content-Type: application/json' -d '{"identifier":"1","operation":"insert","data":"hello"}'`
  return [
    '',
    'Three nodes are up, and each request goes to the next. Try:',
    '',
    `  curl ${base}/readyz`,
    `  curl ${bearer} ${base}/api/svc/auth/keys`,
    `  curl -N ${bearer} ${base}/api/live`,
    `  curl ${bearer} ${event} ${base}/api/live/todos`,
    '',
    ...nodes.map((node, index) => `node ${index + 1}      process ${node.pid}, port ${node.port}, log ${node.logFile}`),
    `NATS        process ${nats.pid}, ${nats.url}`,
    `PostgreSQL  process ${postgres.pid}, ${postgres.url}`,
    '',
    'A node that ends is started again. Ctrl-C ends all.',
    '',
  ].join('\n')
}
