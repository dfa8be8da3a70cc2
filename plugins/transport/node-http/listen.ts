/** Listens without what only names and node:cluster need. */
import type { Server } from 'node:http'
import { readAddress } from '../../../core/http/client/ip-address.ts'
import type { OwnAddress } from './api.ts'

/** What `listen` ends in, by the name that Node has kept for it from its first versions on; it is not promised. */
interface Direct {
  _listen2?(address: string, port: number, type: number, backlog: number): void
}

/** As `listen` has it, which is the most that systems take anyway. */
const BACKLOG = 511

/**
 * Begins to listen; the server tells of it by `listening` or `error`. `listen` itself loads the modules of name look-up and of
 * node:cluster first, a fifth of the time that a whole start takes. Where there is no name, and no cluster that this process is a
 * worker of, both have nothing to do.
 */
export function listen(server: Server, address: OwnAddress): void {
  const { _listen2: direct } = server as Direct
  const worker = process.env['NODE_UNIQUE_ID'] !== undefined
  if (direct === undefined || worker) server.listen(address)
  else if ('path' in address) direct.call(server, address.path, -1, -1, BACKLOG)
  else if (isIpv4(address.host)) direct.call(server, address.host, address.port, 4, BACKLOG)
  else server.listen(address)
}

function isIpv4(host: string): boolean {
  return !host.includes(':') && readAddress(host) === host
}
