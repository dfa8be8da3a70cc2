/** Whether peers could be listened for on this machine. */
import { createServer } from 'node:http'
import type { MachineRefusal } from '../../../core/kernel/settings/resolve.ts'

/** Binds the address for a moment. */
export async function checkListener(address: {
  readonly host: string
  readonly port: number
}): Promise<readonly MachineRefusal[]> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen({ ...address, exclusive: true }, resolve),
    )
    server.close()
    return []
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return [{ key: 'peer.listen', message, ...(code === 'EADDRINUSE' && { inUse: true }) }]
  }
}
