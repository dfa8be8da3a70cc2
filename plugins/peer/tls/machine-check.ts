/** Whether peers could be listened for on this machine. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { MachineRefusal } from '../../../core/settings/resolve.ts'

/** Binds the address for a moment. */
export async function checkListener(address: {
  readonly host: string
  readonly port: number
}): Promise<readonly MachineRefusal[]> {
  const server = createServer()
  try {
    server.listen({ ...address, exclusive: true })
    await once(server, 'listening')
    server.close()
    return []
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return [{ key: 'peer.listen', message, ...(code === 'EADDRINUSE' && { inUse: true }) }]
  }
}
