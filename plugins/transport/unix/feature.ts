/** The local surface on its Unix socket, and on loopback TCP if a setting says so. */

import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { socketPath } from '../../../core/settings/paths.ts'
import type { Listener } from '../node-http/api.ts'
import { contract } from './contract.ts'
import { takeInheritedSocket } from './inherited-socket.ts'
import { createLocalGuard, guardFail, loopbackHosts, type TcpAccess } from './local-guard.ts'
import { checkLocalMachine } from './machine-check.ts'
import { loadSystemCalls, type SystemCalls } from './native.ts'
import { localSettings, toTcpAddress } from './settings.ts'
import { readTokenFile } from './token-file.ts'
import { openUnixListener } from './unix-listener.ts'

/**
 * How long loading the addon of the socket is delayed after the runtime listener opens, in milliseconds, because loading takes longer
 * than many answers. Below 5, so that the code that follows is still in the code cache.
 */
const OTHERS_FIRST_MS = 4

declare module '../../../core/feature.ts' {
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
    contract,
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
