/** Servers of NATS that are one cluster, on loopback, in folders of their own. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChild } from '../../../scripts/child.ts'
import { freePort } from '../../../scripts/free-port.ts'
import { folderWith } from '../../support/folder.ts'

/** A server of a cluster. */
export interface NatsServer {
  readonly port: number
  kill(): Promise<void>
  start(): void
  stop(): Promise<void>
}

/** Starts so many servers; they find each other soon. */
export async function startNatsServers(count: number): Promise<readonly NatsServer[]> {
  const ports = await Promise.all(Array.from({ length: count }, () => freePort()))
  const routes = await Promise.all(Array.from({ length: count }, () => freePort()))
  return ports.map((port, index) => {
    const folder = folderWith()
    const config = join(folder, 'nats.conf')
    const all = routes.map((route) => `nats://127.0.0.1:${route}`).join(', ')
    writeFileSync(
      config,
      `server_name: s${index}
      listen: 127.0.0.1:${port}
      jetstream { store_dir: ${JSON.stringify(folder)}, max_file_store: 10GB }
      cluster { name: tests, listen: 127.0.0.1:${routes[index]}, routes: [${all}] }
      `,
    )
    const spawn = () => startChild('nats-server', { args: ['-c', config], cwd: folder })
    let child = spawn()
    return {
      port,
      kill: async () => {
        child.kill('SIGKILL')
        await child.exited
      },
      start: () => {
        child = spawn()
      },
      stop: async () => void (await child.stop('SIGKILL')),
    }
  })
}
