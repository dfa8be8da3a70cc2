/** Keeps a fixed port and forwards connections to the current process of a service. */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { toolFail } from '../errors.ts'

/** The fixed port of a service. */
export interface Front {
  readonly port: number
  /** Sets the port for new connections; open connections stay with their process. */
  to(port: number): void
  close(): Promise<void>
}

/**
 * Listens on loopback; port 0 selects a free port.
 * @throws SvcError `ERR_TOOL_INPUT` if the port cannot be used
 */
export async function openFront(port: number): Promise<Front> {
  let target: number | undefined
  const open = new Set<Socket>()
  const server = createServer((client) => {
    if (target === undefined) return void client.destroy()
    const service = connect(target, '127.0.0.1')
    for (const [one, other] of [
      [client, service],
      [service, client],
    ] as const) {
      open.add(one)
      one.setNoDelay(true)
      one.pipe(other)
      one.once('error', () => other.destroy())
      one.once('close', () => open.delete(one))
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const message = `Port ${port} cannot be listened on: ${cause.code ?? cause.message}.`
      reject(
        toolFail('ERR_TOOL_INPUT', { message, hint: 'Name another: --port 8081, or --port 0 for a free one.', cause }),
      )
    })
    server.listen(port, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    to: (next) => {
      target = next
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
