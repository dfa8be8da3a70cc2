/** Finds a free port, for a process that does not report its port or needs it in advance. */
import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/**
 * The ports to choose from. Systems give ports from 32768 on to outgoing connections and to servers that ask for any
 * port, so one of those could be taken before the process that it is meant for listens.
 */
const [FIRST, END] = [16_384, 32_768]

/** The ports that this process has returned. */
const returnedPorts = new Set<number>()

/** Returns different loopback ports that are free at the moment. */
export function freePorts(count: number): Promise<number[]> {
  return Promise.all(Array.from({ length: count }, () => freePort()))
}

/** Returns a loopback port that is free at the moment, and that no earlier call has returned. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, END)
    if (returnedPorts.has(port)) continue
    returnedPorts.add(port)
    if (await isFree(port)) return port
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false)
      else reject(error)
    })
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
