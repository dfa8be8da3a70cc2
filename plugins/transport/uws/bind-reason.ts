/** Why an address cannot be bound, which uWebSockets.js does not say. */
import { createServer } from 'node:http'
import type { ListenAddress } from '../node-http/api.ts'

/** Finds out why an address cannot be bound, by binding it with Node. */
export function reasonFor(address: ListenAddress): Promise<unknown> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', resolve)
    server.once('listening', () => server.close(() => resolve(new Error('the address could not be taken'))))
    server.listen({ ...address, exclusive: true })
  })
}
