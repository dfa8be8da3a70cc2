/**
 * Measures the load that one node and three nodes of `server-cluster` handle with one NATS server and one PostgreSQL,
 * and the cost in memory and on the disk of NATS. There are no bars; docs/scale.md explains the results.
 */
import { cpus } from 'node:os'
import { type Measured, startServer, withEngines } from '../cluster/servers.ts'
import { compileLoad } from '../realtime/load.ts'
import { measureAppends } from './appends.ts'
import { measureMemory } from './memory.ts'

const NODES = 3

/** Runs the measurement. Returns false if nothing can be measured on this machine. */
export function benchScale(): Promise<boolean> {
  return withEngines(async ({ folder, engines }) => {
    const nodes: Measured[] = []
    try {
      for (let n = 1; n <= NODES; n++) nodes.push(await startServer(`node-${n}`, { folder, engines }))
      console.log(`Three nodes, one NATS, one PostgreSQL and the load on ${cpus().length} cores\n`)
      await measureMemory(nodes, engines, compileLoad(folder))
      await measureAppends(nodes, engines)
      return true
    } finally {
      await Promise.allSettled(nodes.map((node) => node.stop()))
    }
  })
}
