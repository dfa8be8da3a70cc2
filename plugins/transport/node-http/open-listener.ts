/** Opens the listener of a node:http server. */
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listenFailed } from '../listen-failed.ts'
import type { ListenOptions, OwnAddress } from './api.ts'

/**
 * Listens at the address of `options`; returns the address as text, and the port if there is one.
 * @throws SvcError `ERR_LISTEN_FAILED`
 */
export async function openListener(
  server: Server,
  address: OwnAddress,
  { bind = (open) => open() }: Pick<ListenOptions, 'bind'>,
): Promise<{ text: string; port: number | undefined }> {
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      bind(() => server.listen(address))
      server.once('listening', resolve)
    })
  } catch (cause) {
    throw listenFailed(address, cause)
  }
  if ('path' in address) return { text: address.path, port: undefined }
  const { address: host, port } = server.address() as AddressInfo
  return { text: `${host.includes(':') ? `[${host}]` : host}:${port}`, port }
}
