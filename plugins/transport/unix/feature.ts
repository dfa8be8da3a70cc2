/** The local surface on its Unix socket, and on loopback TCP if a setting says so. */
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { socketPath } from '../../../core/kernel/settings/paths.ts'
import type { MachineRefusal } from '../../../core/kernel/settings/resolve.ts'
import { defineContract, refusesSetting } from '../../../core/testing/contract.ts'
import { refusalOf, refusalOfAddress } from '../machine-check.ts'
import type { Listener } from '../node-http/api.ts'
import { socketFail } from './errors.ts'
import { createLocalGuard, guardFail, loopbackHosts, type TcpAccess } from './local-guard.ts'
import { loadSystemCalls, type SystemCalls } from './native.ts'
import { localSettings, toTcpAddress } from './settings.ts'
import { checkSocketFolder, checkSocketPath, isSocketLocked } from './socket-path.ts'
import { readTokenFile } from './token-file.ts'
import { openUnixListener } from './unix-listener.ts'

/**
 * How long loading the addon of the socket is delayed after the runtime listener opens, in milliseconds, because
 * loading takes longer than many answers. Below 5, so that the code that follows is still in the code cache.
 */
const OTHERS_FIRST_MS = 4

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'transport.unix': true
  }
}

/** Feature `transport.unix`. */
export const feature: FeatureValue<'transport.unix'> = defineFeature({
  id: 'transport.unix',
  about: described({
    at: import.meta.url,
    summary: 'The local surface on a Unix socket for the same user, and on loopback TCP with a token',
    stability: 'stable',
    since: '0.1.0',
    requires: ['transport.node-http'],
    platform: 'node',
    externals: ['koffi'],
    binaries: {
      'koffi.node': {
        files: {
          'linux-x64': 'node_modules/@koromix/koffi-linux-x64/linux_x64/koffi.node',
          'linux-arm64': 'node_modules/@koromix/koffi-linux-arm64/linux_arm64/koffi.node',
          'darwin-x64': 'node_modules/@koromix/koffi-darwin-x64/darwin_x64/koffi.node',
          'darwin-arm64': 'node_modules/@koromix/koffi-darwin-arm64/darwin_arm64/koffi.node',
        },
        otherwise: 'the sync API does not start, because it could not tell who connects',
      },
    },
    uses: ['addon'],
    contract: defineContract({
      present: [
        {
          name: 'the socket has its own routes: those of the runtime surface are not on it',
          surface: 'local',
          send: { path: '/readyz' },
          expect: { status: 404, body: { error: { code: 'not_found' } } },
        },
        {
          name: 'a credential of the runtime surface is neither needed nor looked at',
          surface: 'local',
          send: { path: '/health', headers: { authorization: 'Bearer nonsense' } },
          expect: { status: 200 },
        },
      ],
      absent: [refusesSetting('sync.tcp', '8080')],
    }),
  }),
  needs: { HttpServer: 'required' },
  settings: localSettings,
  errors: guardFail,
  checkSettings({ 'sync.tcp': tcp, 'sync.token_file': file }) {
    if (tcp === null || file !== null) return []
    const message = 'needs sync.token_file (--token-file)'
    return [
      { key: 'sync.tcp', message, hint: 'umask 077; openssl rand -hex 32 > token; svc --tcp 8081 --token-file token' },
    ]
  },
  checkMachine(settings) {
    if (settings['server.mode'] === 'runtime') return []
    const { 'sync.tcp': tcp, 'sync.token_file': tokenFile } = settings
    return checkLocalMachine({ path: pathOf(settings), tcp, tokenFile })
  },
  setup(ctx) {
    const { settings, log } = ctx
    const tcp = settings['sync.tcp']
    const tokenFile = settings['sync.token_file']
    let access: TcpAccess | undefined
    ctx.guard(
      'local',
      createLocalGuard(String(process.getuid?.() ?? ''), () => access),
    )
    if (settings['server.mode'] === 'runtime') return

    const http = ctx.get('HttpServer')
    const path = pathOf(settings)
    const inherited = takeInheritedSocket(process.env, process.pid)
    const listeners: Listener[] = []
    ctx.onReady(async () => {
      const surface = ctx.surface('local')
      const byTcp = tcp === null ? undefined : { address: toTcpAddress(tcp), isToken: readTokens(tokenFile) }
      const calls = async (): Promise<SystemCalls> => {
        if (settings['server.mode'] !== 'sync') await new Promise((resolve) => setTimeout(resolve, OTHERS_FIRST_MS))
        return loadSystemCalls()
      }
      const unix = await openUnixListener({ path, inherited, http, surface, calls, log })
      listeners.push(unix)
      log.info('Listening.', { socket: unix.address })
      if (byTcp === undefined) return
      const loopback = await http.serve(surface, { address: byTcp.address })
      listeners.push(loopback)
      if (loopback.port === undefined) throw new Error('the loopback listener has no port')
      access = { isToken: byTcp.isToken, hosts: loopbackHosts(loopback.port) }
      log.info('Listening.', { sync: loopback.address })
    })
    ctx.onDrain(async () => void (await Promise.all(listeners.map((listener) => listener.drain()))))
    ctx.onStop(async () => void (await Promise.all(listeners.map((listener) => listener.close()))))
  },
})

/** The path of the socket. */
function pathOf(settings: {
  readonly 'sync.socket_path': string | null
  readonly 'storage.dir': string | null
}): string {
  const context = { environment: process.env, home: homedir }
  return resolve(socketPath(settings['sync.socket_path'], settings['storage.dir'], context))
}

/** Reads the tokens of an address for devices. `checkSettings` refuses an address without a file for them. */
function readTokens(file: string | null): ReturnType<typeof readTokenFile> {
  if (file === null) throw new Error('an address without a token file')
  return readTokenFile(file)
}

/** The first descriptor that a service manager passes: SD_LISTEN_FDS_START of sd_listen_fds(3). */
const FIRST_FD = 3

/**
 * Returns the descriptor of the socket that the service manager opened before it started this process (socket
 * activation): clients can connect before the service is ready, and none is refused while it restarts. Undefined if
 * none is meant for this process. The variables are removed from `environment`, so that no child takes them for its
 * own.
 * @throws SvcError `ERR_SOCKET_INHERITED` if there is more than one socket
 */
export function takeInheritedSocket(environment: NodeJS.ProcessEnv, pid: number): number | undefined {
  const { LISTEN_PID: forPid, LISTEN_FDS: count } = environment
  if (forPid !== String(pid) || count === undefined) return undefined
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete environment[name]
  if (count === '1') return FIRST_FD
  throw socketFail('ERR_SOCKET_INHERITED', {
    message: `The service manager passed ${count} sockets; the sync API takes exactly one.`,
  })
}

/** The settings that matter, with the path of the socket. */
interface LocalPlace {
  readonly path: string
  readonly tcp: string | null
  readonly tokenFile: string | null
}

/**
 * Looks at the socket, its folder, its lock, the system calls that it needs, the token file and the loopback address.
 */
async function checkLocalMachine({ path, tcp, tokenFile }: LocalPlace): Promise<readonly MachineRefusal[]> {
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
