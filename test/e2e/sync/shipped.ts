/** The shipped sync service, for tests that may kill it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { withinLimit } from '../../runner/limit.ts'
import { type Child, startChild } from '../../support/child.ts'
import { sendTo } from './daemon.ts'

/** The path of the program. */
export const program: string = join(distDir('server-full'), 'svc.mjs')

/** The reason why the program cannot be started. Undefined if it can. */
export const unbuilt: string | undefined = existsSync(program) ? undefined : `${program} has not been built`

/** The folders and the socket of the service. */
export interface Place {
  readonly folder: string
  readonly state: string
  readonly socketPath: string
}

/** Starts the service with additional settings. The folder may contain the state of a previous run. */
export function startShipped({ folder, state, socketPath }: Place, more: NodeJS.ProcessEnv = {}): Child {
  return startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program],
    env: {
      HOME: folder,
      RUST_LOG: 'error',
      SVC_SERVER__MODE: 'sync',
      SVC_SECURITY__JWT_SECRET: 'crash-secret-of-at-least-32-bytes!!!',
      SVC_STORAGE__DIR: state,
      SVC_SYNC__SOCKET_PATH: socketPath,
      ...more,
    },
  })
}

/** The longest wait for a start, in milliseconds: only a program that hangs takes so long. */
export const START_MS: number = withinLimit(180_000, 0.7)

/** Waits until the service answers. Until then the socket of a killed previous run may still exist. */
export async function untilHealthy(child: Child, { socketPath }: Place): Promise<void> {
  let over = false
  void child.exited.then(() => (over = true))
  for (const sinceMs = Date.now(); Date.now() - sinceMs < START_MS; ) {
    if (over) assert.unreachable(`it ended instead of starting: ${child.err}`)
    const reply = await sendTo({ socketPath }, { path: '/health' }).catch((error: unknown) => {
      if (!isLostConnection(error)) throw error
    })
    if (reply?.status === 200) return
    await new Promise((done) => setTimeout(done, 5))
  }
  assert.unreachable(`it did not answer: ${child.err}`)
}

/** Whether an error means that the service was not running, or ended during the request. */
export function isLostConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE' || code === 'ENOENT'
}
