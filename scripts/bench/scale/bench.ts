/**
 * What one node and three nodes of `server-cluster` carry on one NATS server and one PostgreSQL, and what it costs in memory and on
 * the disk of NATS. Nothing has to be reached: docs/scale.md tells what the figures mean.
 */
import { cpus } from 'node:os'
import { type Measured, startServer, withEngines } from '../cluster/servers.ts'
import { compileLoad } from '../realtime/load.ts'
import { measureAppends } from './appends.ts'
import { measureMemory } from './memory.ts'

const NODES = 3

/** Measures; false where nothing can be measured here. */
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
