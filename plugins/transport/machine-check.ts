/** Looks at what a listener needs, for `svc check-config`. */
import { createServer } from 'node:http'
import { isSvcError } from '../../core/declare/errors.ts'
import type { MachineRefusal } from '../../core/kernel/settings/resolve.ts'
import { listenFailed } from './errors.ts'

/** The error that a look throws, as a refusal of a setting; undefined if it throws none. */
export async function refusalOf(key: string, look: () => unknown): Promise<MachineRefusal | undefined> {
  try {
    await look()
    return undefined
  } catch (error) {
    if (!isSvcError(error)) return { key, message: error instanceof Error ? error.message : String(error) }
    return { key, message: error.message, ...(error.hint !== undefined && { hint: error.hint }) }
  }
}

/** Binds an address for a moment. */
export async function refusalOfAddress(
  key: string,
  address: { readonly host: string; readonly port: number },
): Promise<MachineRefusal | undefined> {
  const server = createServer()
  try {
    await new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen({ ...address, exclusive: true }, resolve),
    )
    server.close()
    return undefined
  } catch (error) {
    const inUse = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    const { message, hint } = listenFailed(address, error)
    return { key, message, ...(hint !== undefined && { hint }), ...(inUse && { inUse }) }
  }
}
