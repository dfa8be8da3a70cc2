/** The service under soak: the built program, started repeatedly in the same folders. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { secret } from '../conformance/caller.ts'
import { program } from '../e2e/sync/shipped.ts'
import { type Child, startChild } from '../support/child.ts'

const clock = new URL('./clock-child.ts', import.meta.url).pathname

/** The folders of the service. */
export interface Place {
  readonly folder: string
  readonly state: string
}

/** One process of the service. */
export interface Life {
  readonly child: Child
  readonly base: string
  readonly port: number
  readonly socketPath: string
}

/** Starts the service, and waits until both surfaces listen. */
export async function startLife({ folder, state }: Place): Promise<Life> {
  const socketPath = join(folder, 'run', 's.sock')
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', '--import', clock, program],
    env: {
      HOME: folder,
      // Other log lines are not used, and this process would keep all of them in memory.
      RUST_LOG: 'error,svc::transport=info',
      SOAK_CLOCK_FILE: clockFile(folder),
      SVC_SECURITY__JWT_SECRET: secret,
      SVC_SERVER__PORT: '0',
      SVC_STORAGE__DIR: state,
      SVC_SYNC__SOCKET_PATH: socketPath,
      SVC_REALTIME__TOPICS: 'soak',
    },
  })
  const [, port] = await child.waitFor(/"address":"127\.0\.0\.1:(\d+)/, 20_000)
  await child.waitFor(/"socket":"/, 20_000)
  return { child, base: `http://127.0.0.1:${port}`, port: Number(port), socketPath }
}

/** Sets the offset of the service's wall clock in milliseconds. 0 is the clock of the machine. */
export function setClock(folder: string, offsetMs: number): void {
  writeFileSync(clockFile(folder), String(offsetMs))
}

function clockFile(folder: string): string {
  return join(folder, 'clock')
}
