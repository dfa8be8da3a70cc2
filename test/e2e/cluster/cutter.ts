/** A network that can be cut: bytes stop, and no side gets a notice. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A proxy to a port of loopback. */
export interface Cutter {
  readonly port: number
  /** Stops all bytes, or only answers, on open and new connections. */
  cut(what?: 'all' | 'answers'): void
  mend(): void
  stop(): Promise<void>
}

/** Starts a proxy to a port. */
export async function startCutter(target: number): Promise<Cutter> {
  const sockets = new Set<Socket>()
  let isCut: 'all' | 'answers' | undefined
  const keep = (socket: Socket): Socket => {
    sockets.add(socket)
    return socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket))
  }
  const server = createServer((near) => {
    const far = keep(connect(target, '127.0.0.1'))
    keep(near)
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes) => {
        if (isCut === undefined || (isCut === 'answers' && from === near)) to.write(bytes)
      })
      from.on('close', () => isCut ?? to.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    cut: (what = 'all') => {
      isCut = what
    },
    mend: () => {
      isCut = undefined
      // The dropped bytes are lost, so earlier connections cannot be used any more.
      for (const socket of sockets) socket.destroy()
    },
    stop: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
