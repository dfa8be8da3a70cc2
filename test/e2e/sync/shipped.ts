/** The sync service as it ships, started for a test that may kill it. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { distDir } from '../../../scripts/build/paths.ts'
import { type Child, startChild } from '../../support/child.ts'
import { sendTo } from './daemon.ts'

/** The program. */
export const program: string = join(distDir('server-full'), 'svc.mjs')

/** Why it cannot be started; undefined where it can. */
export const unbuilt: string | undefined = existsSync(program) ? undefined : `${program} has not been built`

/** Where it keeps its state and is reached. */
export interface Place {
  readonly folder: string
  readonly state: string
  readonly socketPath: string
}

/** Starts it, with more settings where they are given; it may find what a predecessor left there. */
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

/** A start takes no such time but on a machine that is far behind. */
const START_MS = 60_000

/** Waits until the service answers; the socket of its killed predecessor is still there meanwhile. */
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

/** Whether nobody was there to answer, or not to the end. */
export function isLostConnection(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ECONNRESET' || code === 'ECONNREFUSED' || code === 'EPIPE' || code === 'ENOENT'
}
