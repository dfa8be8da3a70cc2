/**
 * A stranger is an innocent client beside an attacker: it sends requests at a steady pace, and reports what the server
 * did until the answers came.
 */
import * as assert from 'uvu/assert'
import { startChild } from '../support/child.ts'
import { again } from '../support/skip.ts'

const program = new URL('./stranger-child.ts', import.meta.url).pathname

/** The requests of a stranger, and their pace. */
export interface Pace {
  /** Milliseconds between two requests, 20 by default. The next request does not wait for the previous answer. */
  readonly everyMs?: number
  /** Paths that are requested in turn. By default `/health` and the stranger's list of keys. */
  readonly paths?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** The bodies of those paths that are sent by POST, by path. */
  readonly bodies?: Readonly<Record<string, string>>
  /**
   * The longest wait for an answer before it counts as a failure. By default 30 s, because a wait also depends on the
   * load of the machine: a slow server is found by its processor time, and only an answer that never comes by this
   * limit.
   */
  readonly patienceMs?: number
}

/** The server that a stranger sends requests to. */
export interface Asked {
  /** Scheme, host and port. */
  readonly base: string
  /** The process of the server. */
  readonly pid: number
}

/** The argument of the stranger's process. */
export type Errand = Asked & Required<Pace>

/**
 * What the server did while the stranger waited for answers, in milliseconds. The waiting time itself is not measured,
 * because it depends on the load of the machine. Failed requests count too.
 */
export interface Report {
  readonly asked: number
  /** Processor time of the server's main thread during a request: the median, the 99th percentile and the maximum. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** Processor time during all requests together, as the kernel counts it; 0 where it counts none. */
  readonly countedMs: number
  /** Time in which the server waited for a disk or a lock and not for a core: the 99th percentile. */
  readonly stillMs: number
  /** The number of requests without a 200 in time, by status, `timeout` or error code. */
  readonly failures: Readonly<Record<string, number>>
}

/** A running stranger. */
export interface Stranger {
  /** The number of answers so far. */
  answers(): number
  /** Stops the requests, waits for open answers, and reports. Another call returns the same report. */
  stop(): Promise<Report>
}

/**
 * Starts a stranger in its own process, so that work of the test does not count as slowness of the server. Resolves
 * with the first answer.
 */
export async function startStranger(asked: Asked, pace: Pace = {}): Promise<Stranger> {
  const { paths = ['/health', '/api/svc/auth/keys'], headers = {}, bodies = {} } = pace
  const { everyMs = 20, patienceMs = 30_000 } = pace
  const errand: Errand = { ...asked, everyMs, paths, headers, bodies, patienceMs }
  const child = startChild(process.execPath, {
    args: ['--disable-warning=ExperimentalWarning', program, JSON.stringify(errand)],
  })
  await child.waitFor(/\n/)
  let report: Promise<Report> | undefined
  return {
    answers: () => child.out.split('\n').length - 1,
    stop: () => {
      report ??= child.stop('SIGTERM', 2 * patienceMs).then(({ code }) => {
        if (code !== 0) throw new Error(`the stranger ended with ${code}: ${child.err}`)
        return toReport(child.out)
      })
      return report
    },
  }
}

/** The most processor time in ms that the server may use between a stranger's request and its answer. */
const STRANGER_MS = 100

/**
 * The fewest requests of a report. At the default pace they last as long as `STRANGER_MS`: an attack that is over
 * sooner cannot have held the server for that long.
 */
const MIN_ASKED = 5

/** The most time in ms that the server may wait for a disk or a lock during 99 % of the requests. */
const STILL_MS = 250

/**
 * Fails if a request of the stranger was refused, cut off or not answered, if the server was busy with others for
 * longer than `boundMs` during a request, and if the server was blocked.
 */
export function assertCalm(report: Report, boundMs: number = STRANGER_MS): void {
  const shown = JSON.stringify(report)
  assert.equal(report.failures, {}, shown)
  assert.ok(report.asked >= MIN_ASKED, `too few requests: ${shown}`)
  assert.ok(report.countedMs > 0, `processor time is not counted here: ${shown}`)
  if (report.worstMs >= boundMs) throw new Held(`the server was busy for ${report.worstMs} ms: ${shown}`)
  if (report.stillMs >= STILL_MS) throw new Held(`the server was blocked for ${report.stillMs} ms: ${shown}`)
}

/** The stranger was answered, but the server was held for too long. */
class Held extends Error {}

/** How often an attack is tried before a held server fails it. */
const MAX_TRIES = 3

/**
 * Runs an attack, and repeats it if the server was held: on a virtual machine another guest may have used the core for
 * that long, and the kernel counts this as processor time of the server. A server with a real fault is held each time.
 */
export async function untilCalm(attack: () => Promise<void>, tell: (reason: string) => void = again): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      await attack()
      return
    } catch (error) {
      if (!(error instanceof Held) || tried === MAX_TRIES) throw error
      tell(error.message)
    }
}

/** Reads the lines of the child, one for each answer, with the times of the server and the outcome. */
function toReport(lines: string): Report {
  const failures: Record<string, number> = {}
  const ran: number[] = []
  const still: number[] = []
  let countedMs = 0
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const [ranMs, counted, stillMs, outcome] = line.split(' ') as [string, string, string, string]
    ran.push(Number(ranMs))
    countedMs += Number(counted)
    still.push(Number(stillMs))
    if (outcome !== '200') failures[outcome] = (failures[outcome] ?? 0) + 1
  }
  return {
    asked: ran.length,
    p50Ms: quantile(ran, 0.5),
    p99Ms: quantile(ran, 0.99),
    worstMs: quantile(ran, 1),
    countedMs,
    stillMs: quantile(still, 0.99),
    failures,
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
