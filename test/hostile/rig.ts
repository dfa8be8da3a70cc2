/** The target of attacks: the built server, on the chosen transport, with its own folders. */
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { tokenFor } from '../conformance/caller.ts'
import { type BuiltService, startBuilt, unbuilt } from '../e2e/telemetry/built-service.ts'
import { type Dialled, dial } from '../e2e/transport/rig.ts'
import { isDeep } from '../support/count.ts'
import { memoryOf, noMemory, type ProcessMemory, resetPeak } from '../support/process-memory.ts'
import { testUnless } from '../support/skip.ts'
import { assertCalm, type Pace, type Report, type Stranger, startStranger, untilCalm } from './stranger.ts'

/** The servers that can serve the runtime surface. */
export type ServerName = 'uws' | 'node'

/** Every server that each attack is tried on. */
export const servers: readonly ServerName[] = ['uws', 'node']

/**
 * The servers for attacks on code behind the transport, which is the same on each: one, and in `make test-deep` every
 * server.
 */
export function serversBefore(): readonly ServerName[] {
  return isDeep() ? servers : ['uws']
}

/** The reason to skip attacks. Undefined if attacks can run. */
const unable: string | undefined = unbuilt ?? noMemory

/** The services that the present test has started. */
const started: BuiltService[] = []

/**
 * Adds tests that attack, or skips them with a reason. Each try of an attack starts its own targets, which are stopped
 * after it. An error shows the newest log lines of the last target.
 */
export function attacksOf(test: Parameters<typeof testUnless>[0]): (name: string, attack: () => Promise<void>) => void {
  return (name, attack) =>
    testUnless(test, unable, name, () =>
      untilCalm(async () => {
        try {
          await attack()
        } catch (error) {
          const lines = started.at(-1)?.child.out.trimEnd().split('\n').slice(-10) ?? []
          if (error instanceof Error) error.message += `\nthe newest lines of the target:\n${lines.join('\n')}`
          throw error
        } finally {
          for (const service of started.splice(0)) await service.stop()
        }
      }),
    )
}

/** How much lower the attacker's priority is than the server's. */
const ATTACKER_NICE = 5

/** The server that a stranger sends requests to during an attack. Time and memory of its process are measured. */
export interface Attacked extends Pick<BuiltService, 'base' | 'child'> {
  /** The header with a bearer token for a user. The default tenant is `default`. */
  bearer(user: string, scopes?: readonly string[], tenant?: string): { readonly authorization: string }
  /** Memory of the server's process. */
  memory(): ProcessMemory
  /** Resets `memory().peakBytes` to the memory in use now. */
  resetPeak(): void
}

/** Describes a process that serves the runtime surface with the secret of the conformance suites as a target. */
export function toAttacked({ base, child }: Pick<BuiltService, 'base' | 'child'>): Attacked {
  return {
    base,
    child,
    bearer: (user, scopes, tenant) => ({ authorization: `Bearer ${tokenFor(callerOf(user, scopes, tenant))}` }),
    memory: () => memoryOf(child.pid),
    resetPeak: () => resetPeak(child.pid),
  }
}

/** A running server under attack. */
export interface Target extends BuiltService, Attacked {
  readonly server: ServerName
  /** The Unix socket of the local surface. */
  readonly socketPath: string
  /** Sends a request to the runtime surface. `path` begins with a slash. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Opens a connection to the runtime surface and sends raw bytes. The connection is closed when the target stops. */
  dial(bytes?: string | Uint8Array): Dialled
}

/** Starts the program of server-full on a free port. `environment` adds settings. */
export async function startTarget(server: ServerName, environment: Record<string, string> = {}): Promise<Target> {
  const service = await startBuilt({ RUST_LOG: 'info', SVC_SERVER__TRANSPORT: server, ...environment })
  const dialled: Dialled[] = []
  const target: Target = {
    ...service,
    ...toAttacked(service),
    server,
    socketPath: environment['SVC_SYNC__SOCKET_PATH'] ?? join(service.folder, 'svc', 'sync.sock'),
    ask: (path, init) => fetch(service.base + path, init),
    dial: (bytes) => {
      const connection = dial(service.port, bytes)
      dialled.push(connection)
      return connection
    },
    stop: async () => {
      const at = started.indexOf(target)
      if (at >= 0) started.splice(at, 1)
      for (const { socket } of dialled) socket.destroy()
      await service.stop()
    },
  }
  started.push(target)
  // The surfaces open in no particular order.
  if (environment['SVC_SERVER__MODE'] !== 'runtime') await service.child.waitFor(/"socket":"/)
  return target
}

/** The result of an attack, and what the server did while a stranger waited for answers. */
export interface Beside<T> {
  readonly result: T
  readonly report: Report
  /** The highest growth of the server's memory, in bytes. */
  readonly grownBytes: number
}

/** Runs an attack while a stranger keeps sending requests. */
export async function beside<T>(
  target: Attacked,
  attack: (stranger: Stranger) => Promise<T>,
  pace?: Pace,
): Promise<Beside<T>> {
  const asked = { base: target.base, pid: target.child.pid }
  const stranger: Stranger = await startStranger(asked, { headers: target.bearer('stranger'), ...pace })
  const priority = getPriority()
  // A real attacker has another machine. Here the attacker must not take the cores that the server needs.
  setPriority(Math.min(19, priority + ATTACKER_NICE))
  try {
    target.resetPeak()
    const { rssBytes } = target.memory()
    const result = await attack(stranger)
    const report = await stranger.stop()
    return { result, report, grownBytes: target.memory().peakBytes - rssBytes }
  } finally {
    giveBack(priority)
    await stranger.stop()
  }
}

/** The number of answers that a stranger gets while an attack is repeated. */
export const ENOUGH_ANSWERS = 40

/** The most rounds of an attack, because a stranger whose process has ended gets no answers. */
export const MOST_ROUNDS = 10_000

/** Repeats a short attack until a stranger has had enough answers. Fails if the stranger was not served calmly. */
export async function repeat(target: Attacked, name: string, attack: (round: number) => Promise<void>): Promise<void> {
  const { report, result, grownBytes } = await beside(
    target,
    async ({ answers }) => {
      let round = 0
      do await attack(round++)
      while (answers() < ENOUGH_ANSWERS && round < MOST_ROUNDS)
      return round
    },
    { everyMs: 5 },
  )
  console.log(`${name}: ${result} rounds, ${Math.round(grownBytes / 1_048_576)} MiB, ${JSON.stringify(report)}`)
  assertCalm(report)
}

/** Restores the priority, because later child processes inherit it. Only root may raise a priority. */
function giveBack(priority: number): void {
  try {
    setPriority(priority)
  } catch {
    // Without the right to raise the priority, later child processes of this file have a low priority too.
  }
}

function callerOf(user: string, scopes?: readonly string[], tenant?: string): Parameters<typeof tokenFor>[0] {
  return { user, ...(scopes === undefined ? {} : { scopes }), ...(tenant === undefined ? {} : { tenant }) }
}
