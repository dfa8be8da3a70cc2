/** Starts one process of the service under development. */
import { type ChildProcess, spawn } from 'node:child_process'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../free-port.ts'
import { toolFail } from '../errors.ts'

/** A started process. */
export interface Service {
  readonly port: number
  /** Sends SIGTERM, so that the process drains, and waits for its end. */
  stop(): Promise<void>
}

/** Longest time in milliseconds until the process listens. */
const START_LIMIT_MS = 20_000

/**
 * Starts a program and waits until it accepts connections. Its output is passed on to stdout and stderr; with `json`
 * all of it goes to stderr, because stdout is for the JSON document.
 * @throws SvcError `ERR_TOOL_FAILED` if the program ends before, or does not listen in time
 */
export async function startService(
  program: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  json: boolean,
): Promise<Service> {
  const port = await freePort()
  const child = spawn(process.execPath, [program, ...args], {
    env: { ...env, SVC_SERVER__HOST: '127.0.0.1', SVC_SERVER__PORT: String(port) },
    stdio: ['ignore', json ? process.stderr : 'inherit', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  const endWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  void ended.then(() => process.off('exit', endWithUs))
  if (!(await listens(port, child, ended))) {
    child.kill('SIGKILL')
    throw toolFail('ERR_TOOL_FAILED', {
      message: 'The new process did not listen; its output is above.',
    })
  }
  return {
    port,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function listens(port: number, child: ChildProcess, ended: Promise<unknown>): Promise<boolean> {
  let over = false
  void ended.then(() => {
    over = true
  })
  const lastMs = performance.now() + START_LIMIT_MS
  while (!over && performance.now() < lastMs) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    if (open) return child.exitCode === null
    await pause(4)
  }
  return false
}
