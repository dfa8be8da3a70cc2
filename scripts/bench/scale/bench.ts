/**
 * Measures memory, appends through one, two and three nodes of `server-cluster`, and new API keys and deliveries
 * through one and three, with one PostgreSQL and one NATS server; then appends with three NATS servers that each store
 * the runs. No result fails the run; docs/scale.md explains the results.
 */
import { mkdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { startNatsCluster } from '../../cluster/nats-cluster.ts'
import { freePorts } from '../../free-port.ts'
import { appendTo, type Node, type Setting, startClusterNode, withEngines } from '../cluster/nodes.ts'
import { median, roundsOf, show, whole } from '../harness/figures.ts'
import { cpuOf } from '../harness/processes.ts'
import { compileLoad } from '../realtime/load.ts'
import { measureMemory } from './memory.ts'
import { measureRates } from './rates.ts'

const NODES = 3

/** Runs the measurement. Returns false if nothing can be measured on this machine. */
export function bench(): Promise<boolean> {
  return withEngines(async (setting) => {
    const { folder, engines } = setting
    const load = compileLoad(folder)
    console.log(`Three nodes, NATS, PostgreSQL and the load on ${cpus().length} cores\n`)
    await withNodes(setting, {}, async (nodes) => {
      await measureMemory(nodes, engines, load)
      await measureAppends(nodes, [engines.nats.pid])
      await measureRates(nodes, load)
    })
    const three = await startThreeServers(folder)
    try {
      console.log('\nThree servers of NATS, cluster.replicas 3')
      await withNodes({ engines, folder: join(folder, 'three') }, three.environment, (nodes) =>
        measureAppends(
          nodes,
          three.servers.map(({ pid }) => pid),
        ),
      )
    } finally {
      await Promise.all(three.servers.map((server) => server.stop()))
    }
    return true
  })
}

async function withNodes(
  setting: Setting,
  environment: Readonly<Record<string, string>>,
  measure: (nodes: readonly Node[]) => Promise<void>,
): Promise<void> {
  const nodes: Node[] = []
  try {
    for (let n = 1; n <= NODES; n++) nodes.push(await startClusterNode(`node-${n}`, { ...setting, environment }))
    await measure(nodes)
  } finally {
    await Promise.allSettled(nodes.map((node) => node.stop()))
  }
}

/** Three NATS servers that each store the runs, and the settings of a node that uses them. */
async function startThreeServers(folder: string) {
  const [ports, routes] = [await freePorts(3), await freePorts(3)]
  const peers = routes.map((route) => `nats://127.0.0.1:${route}`).join(', ')
  const servers = await startNatsCluster(
    ports.map((port, index) => {
      const serverFolder = join(folder, `s${index}`)
      mkdirSync(serverFolder)
      const config = `cluster { name: bench, listen: 127.0.0.1:${routes[index]}, routes: [${peers}] }`
      return { name: `s${index}`, folder: serverFolder, port, config }
    }),
  )
  const urls = ports.map((port) => `nats://127.0.0.1:${port}`).join(',')
  return { servers, environment: { SVC_CLUSTER__NATS_URL: urls, SVC_CLUSTER__REPLICAS: '3' } }
}

const ROUNDS = roundsOf(7)
/** Numbers of runs that are appended to at the same time. */
const APPENDERS = [1, 48]
const SECONDS = 1

/** Measures, rounds interleaved; `natsPids` are the processes of NATS. */
export async function measureAppends(nodes: readonly Node[], natsPids: readonly number[]): Promise<void> {
  for (const appenders of APPENDERS) {
    const rows = nodes.map(() => ({ perSecond: [] as number[], ofNodes: [] as number[], ofNats: [] as number[] }))
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, row] of rows.entries()) {
        const used = nodes.slice(0, index + 1)
        const cpu = (): [number, number] => [nodes.reduce((sum, node) => sum + node.cpuSeconds(), 0), cpuOf(natsPids)]
        const [nodesBefore, natsBefore] = cpu()
        const name = `scale-${appenders}-${index}-${round}`
        const answers = await appendTo(used, { name, appenders, seconds: SECONDS })
        const [nodesAfter, natsAfter] = cpu()
        row.perSecond.push(answers / SECONDS)
        row.ofNodes.push(((nodesAfter - nodesBefore) * 1e6) / answers)
        row.ofNats.push(((natsAfter - natsBefore) * 1e6) / answers)
      }
    }
    const runs = appenders === 1 ? 'one run' : `${appenders} runs at once`
    console.log(`\nAppends with acknowledgement to ${runs}, medians of ${ROUNDS} interleaved rounds\n`)
    for (const [index, { perSecond, ofNodes, ofNats }] of rows.entries()) {
      const through = index === 0 ? 'one node' : `${index + 1} nodes`
      show(`through ${through}, a second by the clock`, whole(median(perSecond)))
      show('  processor time of all nodes for one, µs', whole(median(ofNodes)))
      show('  processor time of NATS for one, µs', whole(median(ofNats)))
    }
  }
}
