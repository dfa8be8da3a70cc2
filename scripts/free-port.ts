/** Finds a free port, for a process that does not report its port or needs it in advance. */
import { type AddressInfo, createServer } from 'node:net'

/** The ports that this process has returned: the system may choose a port again as soon as it is closed. */
const given = new Set<number>()

/** Returns different loopback ports that are free at the moment. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()))
}

/** Returns a loopback port that is free at the moment, and that no earlier call has returned. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = await chosenBySystem()
    if (given.has(port)) continue
    given.add(port)
    return port
  }
}

function chosenBySystem(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
