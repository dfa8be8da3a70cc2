/** Nodes for tests of the command line: a program in an empty folder, started and queried with its commands. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as assert from 'uvu/assert'
import { type Child, startChild } from '../../support/child.ts'
import { createFolder } from '../../unit/sync/platforms.ts'
import { program, untilHealthy } from '../sync/shipped.ts'

/** The result of a command. */
export interface Ran {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

export interface Desk {
  readonly name: string
  readonly folder: string
  /** The address at which its service listens for peers. */
  address: string
  /** Runs a command in its folder. */
  run(...args: readonly string[]): Promise<Ran>
  /** Runs a command with a text on standard input. */
  pipe(text: string, ...args: readonly string[]): Promise<Ran>
  /** Runs a command that must exit with 0, and returns its output. */
  svc(...args: readonly string[]): Promise<string>
  serve(more?: NodeJS.ProcessEnv): Promise<void>
  /** Stops the service, and waits for its end. */
  stop(): Promise<void>
}

/** Creates a node in a new folder. */
export function deskOf(name: string): Desk {
  const folder = createFolder()
  mkdirSync(join(folder, 'home'))
  const socketPath = join(folder, 's.sock')
  const command = process.execPath
  const first = ['--disable-warning=ExperimentalWarning', program]
  const environment: NodeJS.ProcessEnv = {
    HOME: join(folder, 'home'),
    PATH: '',
    RUST_LOG: 'info',
    SVC_SERVER__MODE: 'sync',
    SVC_SECURITY__JWT_SECRET: 'desk-secret-which-is-of-at-least-32-bytes!',
    SVC_STORAGE__DIR: join(folder, 'state'),
    SVC_SYNC__SOCKET_PATH: socketPath,
    SVC_PEER__LISTEN: '127.0.0.1:0',
  }
  let service: Child | undefined
  const desk: Desk = {
    name,
    folder,
    address: '',
    async run(...args) {
      const child = startChild(command, { args: [...first, ...args], env: environment, cwd: folder })
      const { code } = await child.exited
      return { code, out: child.out, err: child.err }
    },
    async pipe(text, ...args) {
      const input = join(folder, 'input')
      writeFileSync(input, text, { mode: 0o600 })
      const redirected = ['-c', 'exec "$0" "$@" < input', command, ...first, ...args]
      const child = startChild('/bin/sh', { args: redirected, env: environment, cwd: folder })
      const { code } = await child.exited
      return { code, out: child.out, err: child.err }
    },
    async svc(...args) {
      const { code, out, err } = await desk.run(...args)
      assert.is(code, 0, `${args.join(' ')}: ${out}${err}`)
      return out
    },
    async serve(more = {}) {
      service = startChild(command, { args: first, env: { ...environment, ...more }, cwd: folder })
      await untilHealthy(service, { folder, state: '', socketPath })
      desk.address = (await service.waitFor(/"peers":"([^"]+)"/))[1]!
    },
    async stop() {
      assert.equal(await service?.stop(), { code: 0, signal: null })
    },
  }
  return desk
}
