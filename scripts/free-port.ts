/** Finds a free port, for a process that does not report its port or needs it in advance. */
import { type AddressInfo, createServer } from 'node:net'

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
