/**
 * Measures memory, appends through one, two and three nodes of `server-cluster`, and new API keys and deliveries through one and
 * three, with one PostgreSQL and one NATS server; then appends with three NATS servers that each store the runs. No result fails
 * the run; docs/scale.md explains the results.
 */
import { cpus } from 'node:os'
import { join } from 'node:path'
import { type Engines, type Measured, startServer, withEngines } from '../cluster/servers.ts'
import { compileLoad } from '../realtime/load.ts'
import { measureAppends } from './appends.ts'
import { measureMemory } from './memory.ts'
import { measureRates } from './rates.ts'
import { startThreeServers } from './three-nats.ts'

const NODES = 3

interface Setting {
  readonly folder: string
  readonly engines: Engines
}

/** Runs the measurement. Returns false if nothing can be measured on this machine. */
export function benchScale(): Promise<boolean> {
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
        measureAppends(nodes, three.pids),
      )
    } finally {
      await three.stop()
    }
    return true
  })
}

async function withNodes(
  setting: Setting,
  environment: Readonly<Record<string, string>>,
  measure: (nodes: readonly Measured[]) => Promise<void>,
): Promise<void> {
  const nodes: Measured[] = []
  try {
    for (let n = 1; n <= NODES; n++) nodes.push(await startServer(`node-${n}`, { ...setting, environment }))
    await measure(nodes)
  } finally {
    await Promise.allSettled(nodes.map((node) => node.stop()))
  }
}
