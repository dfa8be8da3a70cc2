/** The shipped program with both surfaces in a separate folder, and the commands of its owner. */
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type Child, startChild } from '../../support/child.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { program, START_MS, untilHealthy } from '../sync/shipped.ts'

/** A node of a test. */
export interface TestNode {
  readonly folder: string
  readonly socketPath: string
  /** The environment of the program and its commands. */
  readonly env: Readonly<Record<string, string>>
  /** Runs a command that must succeed, and returns its output. */
  svc(...args: readonly string[]): Promise<string>
  /** Runs a command that must fail with exit code 1, and returns its error output. */
  fails(...args: readonly string[]): Promise<string>
  /** Starts the service, and returns the origin of its runtime surface. */
  start(): Promise<string>
  /** What the service has logged since its last start. */
  logs(): string
  stop(): Promise<void>
}

/** The arguments of Node that run the program without the warning of an experimental feature. */
export const programArgs: readonly string[] = ['--disable-warning=ExperimentalWarning', program]

/** Creates a node with additional environment variables. The service is not started. */
export function createNode(more: Readonly<Record<string, string>> = {}): TestNode {
  const folder = createFolder()
  const socketPath = join(folder, 'run', 's.sock')
  const env = {
    HOME: folder,
    PATH: process.env['PATH'] ?? '',
    SVC_SERVER__PORT: '0',
    SVC_SECURITY__JWT_SECRET: 'a-secret-of-a-test-of-at-least-32-bytes',
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: socketPath,
    ...more,
  }
  let service: Child | undefined
  const run = async (args: readonly string[]): Promise<{ code: number | null; out: string; err: string }> => {
    const child = startChild(process.execPath, { args: [...programArgs, ...args], cwd: folder, env })
    const { code } = await child.exited
    return { code, out: child.out, err: child.err }
  }
  return {
    folder,
    socketPath,
    env,
    async svc(...args) {
      const { code, out, err } = await run(args)
      assert.is(code, 0, `svc ${args.join(' ')}: ${err}`)
      return out.trim()
    },
    async fails(...args) {
      const { code, err } = await run(args)
      assert.is(code, 1, `svc ${args.join(' ')} ended with ${code}: ${err}`)
      return err
    },
    async start() {
      service = startChild(process.execPath, { args: programArgs, cwd: folder, env: { ...env, RUST_LOG: 'info' } })
      const [, port] = await service.waitFor(/"address":"[^"]*:(\d+)"/, START_MS)
      await untilHealthy(service, { folder, state: env.SVC_STORAGE__DIR, socketPath })
      return `http://127.0.0.1:${port}`
    },
    logs: () => `${service?.out}${service?.err}`,
    async stop() {
      assert.is((await service?.stop())?.code, 0)
      service = undefined
    },
  }
}
