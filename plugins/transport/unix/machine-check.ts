/** What on this machine would make the local listeners fail, without opening them. */
import type { MachineRefusal } from '../../../core/settings/resolve.ts'
import { refusalOf, refusalOfAddress } from '../machine-check.ts'
import { loadSystemCalls } from './native.ts'
import { toTcpAddress } from './settings.ts'
import { checkSocketFolder, checkSocketPath, isSocketLocked } from './socket-path.ts'
import { readTokenFile } from './token-file.ts'

/** The settings that matter, with the path of the socket. */
export interface LocalPlace {
  readonly path: string
  readonly tcp: string | null
  readonly tokenFile: string | null
}

/** Looks at the socket, its folder, its lock, the system calls that it needs, the token file and the loopback address. */
export async function checkLocalMachine({ path, tcp, tokenFile }: LocalPlace): Promise<readonly MachineRefusal[]> {
  let inUse = false
  const socket = await refusalOf('sync.socket_path', async () => {
    checkSocketPath(path)
    checkSocketFolder(path)
    inUse = isSocketLocked(path, await loadSystemCalls())
    if (inUse) throw new Error(`another service holds ${path}`)
  })
  const token = tokenFile === null ? undefined : await refusalOf('sync.token_file', () => readTokenFile(tokenFile))
  const address = tcp === null ? undefined : await refusalOfAddress('sync.tcp', toTcpAddress(tcp))
  return [socket && { ...socket, inUse }, token, address].filter((one) => one !== undefined)
}
