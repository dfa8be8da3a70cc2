/** A stranger beside an attacker: he keeps asking at a steady pace, and tells what the server did until he had his answers. */
import * as assert from 'uvu/assert'
import { startChild } from '../support/child.ts'
import { again } from '../support/skip.ts'

const program = new URL('./stranger-child.ts', import.meta.url).pathname

/** What a stranger asks for, and how often. */
export interface Pace {
  /** Milliseconds between two requests, 20 by default. He does not wait for an answer before he asks again. */
  readonly everyMs?: number
  /** Asked for in turn: `/health` and his own list of keys by default. */
  readonly paths?: readonly string[]
  readonly headers?: Readonly<Record<string, string>>
  /** How long he waits for an answer before he counts a failure, 30 s by default. */
  readonly patienceMs?: number
}

/** Whom a stranger asks. */
export interface Asked {
  /** Scheme, host and port. */
  readonly base: string
  /** The process of the server. */
  readonly pid: number
}

/** The argument of the process that asks: whom, how often and what. */
export type Errand = Asked & Required<Pace>

/**
 * What the server did while he waited for his answers, in milliseconds: not how long that took, since a machine that
 * others use takes longer. What failed counts too.
 */
export interface Report {
  readonly asked: number
  /** Processor time of the server's main thread in a request: half of them had less, 99 of a hundred, all of them. */
  readonly p50Ms: number
  readonly p99Ms: number
  readonly worstMs: number
  /** Time in which the server neither ran nor wanted to, 99 of a hundred had less: it waited for a disk or a lock. */
  readonly stillMs: number
  /** What was not a 200 within his patience, by what it was: a status, `timeout` or the code of an error. */
  readonly failures: Readonly<Record<string, number>>
}

/** One who asks. */
export interface Stranger {
  /** How many answers he has had. */
  answers(): number
  /** Lets him stop asking, wait for what he has asked, and report. Again, it gives the same report. */
  stop(): Promise<Report>
}

/**
 * Starts one in a process of his own: what the test is busy with does not count as the server's slowness. Resolves with
 * his first answer.
 */
export async function startStranger(asked: Asked, pace: Pace = {}): Promise<Stranger> {
  const { everyMs = 20, paths = ['/health', '/api/svc/auth/keys'], headers = {}, patienceMs = 30_000 } = pace
  const errand: Errand = { ...asked, everyMs, paths, headers, patienceMs }
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

/** Most processor time in ms that the server may use between a stranger's request and its answer. */
const STRANGER_MS = 100

/** Most time in ms that 99 of a hundred requests may find the server neither running nor ready to. */
const STILL_MS = 250

/**
 * Fails where the stranger was refused, cut off or not answered, where the server was busy with others for longer than
 * `boundMs` while he waited, and where it stood still.
 */
export function assertCalm(report: Report, boundMs: number = STRANGER_MS): void {
  const shown = JSON.stringify(report)
  assert.equal(report.failures, {}, shown)
  assert.ok(report.asked >= 20, `too short to tell: ${shown}`)
  assert.ok(report.worstMs > 0, `processor time is not counted here: ${shown}`)
  if (report.worstMs >= boundMs) throw new Held(`the server was busy for ${report.worstMs} ms: ${shown}`)
  if (report.stillMs >= STILL_MS) throw new Held(`the server stood still for ${report.stillMs} ms: ${shown}`)
}

/** The stranger was answered, but the server was held for too long. */
class Held extends Error {}

/** How often a server may be held before it is to blame. */
const MAX_TRIES = 3

/**
 * Runs an attack, once more where the server was held: where this machine is a guest, another guest may have had the core for
 * that long, and the kernel counts that as processor time of the server. A server that is to blame is held each time.
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

/** Reads what the child wrote: a line for each answer, with what the server spent on it and what it was. */
function toReport(lines: string): Report {
  const failures: Record<string, number> = {}
  const ran: number[] = []
  const still: number[] = []
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const [ranMs, stillMs, outcome] = line.split(' ') as [string, string, string]
    ran.push(Number(ranMs))
    still.push(Number(stillMs))
    if (outcome !== '200') failures[outcome] = (failures[outcome] ?? 0) + 1
  }
  return {
    asked: ran.length,
    p50Ms: quantile(ran, 0.5),
    p99Ms: quantile(ran, 0.99),
    worstMs: quantile(ran, 1),
    stillMs: quantile(still, 0.99),
    failures,
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
