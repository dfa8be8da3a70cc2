/** What is attacked: the server that ships, on a transport of the test's choice, with folders of its own. */
import { getPriority, setPriority } from 'node:os'
import { join } from 'node:path'
import { tokenFor } from '../conformance/caller.ts'
import { type BuiltService, startBuilt, unbuilt } from '../e2e/telemetry/built-service.ts'
import { type Dialled, dial } from '../e2e/transport/rig.ts'
import { isDeep } from '../support/count.ts'
import { memoryOf, noMemory, type ProcessMemory, resetPeak } from '../support/process-memory.ts'
import { skip, testUnless } from '../support/skip.ts'
import { assertCalm, type Pace, type Report, type Stranger, startStranger, untilCalm } from './stranger.ts'

/** What may serve the runtime surface. */
export type ServerName = 'uws' | 'node'

/** Every server that an attack has to be tried on. */
export const servers: readonly ServerName[] = ['uws', 'node']

/** The servers of attacks on what lies behind the transport: one of them in `make test`, which says so, every one in `make test-deep`. */
export function serversBefore(test: Parameters<typeof skip>[0], what: string): readonly ServerName[] {
  if (isDeep()) return servers
  skip(
    test,
    `node: attacks on ${what}`,
    'it is the same behind either transport; make test-deep attacks it on this one too',
  )
  return ['uws']
}

/** Why nothing can be attacked here; undefined where it can. */
const unable: string | undefined = unbuilt ?? noMemory

/** A test that attacks, left out aloud where nothing can be attacked. Each try of `attack` starts its own target. */
export function testAttack(test: Parameters<typeof testUnless>[0], name: string, attack: () => Promise<void>): void {
  testUnless(test, unable, name, () => untilCalm(attack))
}

/** How much lower the attacker's priority is than the server's. */
const ATTACKER_NICE = 5

/** What a stranger asks beside an attack, and the process whose time and memory are measured. */
export interface Attacked extends Pick<BuiltService, 'base' | 'child'> {
  /** The header of a bearer token for a user, of the tenant `default` where none is named. */
  bearer(user: string, scopes?: readonly string[], tenant?: string): { readonly authorization: string }
  /** Memory of the server's process. */
  memory(): ProcessMemory
  /** Lets `memory().peakBytes` begin anew, at what is in use now. */
  resetPeak(): void
}

/** Lets a process be attacked that serves the runtime surface with the secret of the conformance suites. */
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
  /** Asks the runtime surface; `path` begins with a slash. */
  ask(path: string, init?: RequestInit): Promise<Response>
  /** Opens a connection to the runtime surface and sends raw bytes. It is closed with the target. */
  dial(bytes?: string | Uint8Array): Dialled
}

/** Starts server-full's program on a free port; `environment` adds settings. */
export async function startTarget(server: ServerName, environment: Record<string, string> = {}): Promise<Target> {
  const service = await startBuilt({ RUST_LOG: 'info', SVC_SERVER__TRANSPORT: server, ...environment })
  // The surfaces open in no order that is promised.
  if (environment['SVC_SERVER__MODE'] !== 'runtime') await service.child.waitFor(/"socket":"/, 20_000)
  const dialled: Dialled[] = []
  return {
    ...service,
    ...toAttacked(service),
    server,
    socketPath: environment['SVC_SYNC__SOCKET_PATH'] ?? join(service.folder, 'svc', 'sync.sock'),
    ask: (path, init) => fetch(service.base + path, init),
    dial: (bytes) => {
      const one = dial(service.port, bytes)
      dialled.push(one)
      return one
    },
    stop: async () => {
      for (const { socket } of dialled) socket.destroy()
      await service.stop()
    },
  }
}

/** What came of an attack, and what the server did while a stranger waited for his answers. */
export interface Beside<T> {
  readonly result: T
  readonly report: Report
  /** By how much the server's memory rose at its highest, in bytes. */
  readonly grownBytes: number
}

/** Runs an attack while a stranger keeps asking. */
export async function beside<T>(
  target: Attacked,
  attack: (stranger: Stranger) => Promise<T>,
  pace?: Pace,
): Promise<Beside<T>> {
  const asked = { base: target.base, pid: target.child.pid }
  const stranger: Stranger = await startStranger(asked, { headers: target.bearer('stranger'), ...pace })
  const priority = getPriority()
  // An attacker has a machine of his own; here he must not win the cores that the server needs to withstand him.
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

/** Answers beside which an attack is tried again and again; `assertCalm` wants 20. */
const ENOUGH_ANSWERS = 40

/** Rounds of an attack at most: a stranger whose process ended gets no answers. */
const MOST_ROUNDS = 10_000

/** Repeats a short attack until a stranger who asks often has had answers enough, and fails where he was not served calmly. */
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

/** What is started later inherits the priority of its parent. Only root may raise it again. */
function giveBack(priority: number): void {
  try {
    setPriority(priority)
  } catch {
    // Without the right to raise it again, what this file starts from here on has a low priority too.
  }
}

function callerOf(user: string, scopes?: readonly string[], tenant?: string): Parameters<typeof tokenFor>[0] {
  return { user, ...(scopes === undefined ? {} : { scopes }), ...(tenant === undefined ? {} : { tenant }) }
}
