/** Finds a free port, for a process that does not report its port or needs it in advance. */
import { type AddressInfo, createServer } from 'node:net'

/** Returns loopback ports that are free at the moment. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()))
}

/** Returns a loopback port that is free at the moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}
