/** A stranger beside an attacker: he keeps asking at a steady pace, and tells how he fared. */
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
  /** How long he waits for an answer before he counts a failure, 5 s by default. */
  readonly patienceMs?: number
}

/** How he fared. Latencies are in milliseconds, and those of failures count with them. */
export interface Report {
  readonly asked: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** By how much his own timer was late, the 99th of a hundred: what the machine is slow by, whatever the server does. */
  readonly lateMs: number
  /** By what factor the server was slower than on a core of its own, where the rig has looked: others use the machine. */
  readonly slowedBy?: number
  /** What was not a 200 within his patience, by what it was: a status, `timeout` or the code of an error. */
  readonly failures: Readonly<Record<string, number>>
}

/** One who asks. */
export interface Stranger {
  /** Lets him stop asking, wait for what he has asked, and report. Again, it gives the same report. */
  stop(): Promise<Report>
}

/**
 * Starts one against `base`, in a process of his own: what the test is busy with does not count as the server's
 * slowness. Resolves with his first answer.
 */
export async function startStranger(base: string, pace: Pace = {}): Promise<Stranger> {
  const { everyMs = 20, paths = ['/health', '/api/svc/auth/keys'], headers = {}, patienceMs = 5_000 } = pace
  const child = startChild(process.execPath, {
    args: [
      '--disable-warning=ExperimentalWarning',
      program,
      JSON.stringify({ base, everyMs, paths, headers, patienceMs }),
    ],
  })
  await child.waitFor(/ (?!late)\S+\n/)
  let report: Promise<Report> | undefined
  return {
    stop: () => {
      report ??= child.stop('SIGTERM', 2 * patienceMs).then(({ code }) => {
        if (code !== 0) throw new Error(`the stranger ended with ${code}: ${child.err}`)
        return toReport(child.out)
      })
      return report
    },
  }
}

/** Most that is allowed for a machine that others use: beyond it, a server that stands still could pass for a slow one. */
const MAX_SLOWDOWN = 8

/** From this on, a server that had its core for a part of the time may have owed an answer through no fault of its own. */
const SHARED_CORE = 2

/**
 * Fails where the stranger was refused or cut off, or where one of a hundred answers took longer than `p99Ms` and what
 * the machine was late by. A server that had to wait for its core has that much longer. An answer that never came is a
 * refusal, unless others had the core.
 */
export function assertCalm(report: Report, p99Ms = 250): void {
  const shown = JSON.stringify(report)
  assert.ok(report.asked >= 20, `too short to tell: ${shown}`)
  const { timeout, ...refusals } = report.failures
  assert.equal(refusals, {}, shown)
  const { slowedBy = 1 } = report
  if (timeout !== undefined) {
    const unanswered = `${timeout} were never answered: ${shown}`
    throw slowedBy >= SHARED_CORE ? new Waited(unanswered) : new Error(unanswered)
  }
  const allowedMs = p99Ms * Math.min(slowedBy, MAX_SLOWDOWN)
  if (report.p99Ms - report.lateMs >= allowedMs) throw new Waited(`p99 is ${report.p99Ms} ms: ${shown}`)
}

/** The stranger was answered, but late. */
class Waited extends Error {}

/** How often a stranger may have waited before the server is to blame. */
const MAX_TRIES = 3

/**
 * Runs an attack, once more where the stranger waited: another machine's guest may have had the core for that long, and
 * no counter of ours tells. A server that stands still does so each time.
 */
export async function untilCalm(attack: () => Promise<void>, tell: (reason: string) => void = again): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      await attack()
      return
    } catch (error) {
      if (!(error instanceof Waited) || tried === MAX_TRIES) throw error
      tell(error.message)
    }
}

/** Reads what the child wrote: a line for each answer, its milliseconds and what it was, or how late it was asked. */
function toReport(lines: string): Report {
  const failures: Record<string, number> = {}
  const latencies: number[] = []
  const late: number[] = []
  for (const line of lines.split('\n')) {
    if (line === '') continue
    const [ms, outcome] = line.split(' ') as [string, string]
    if (outcome === 'late') {
      late.push(Number(ms))
      continue
    }
    latencies.push(Number(ms))
    if (outcome !== '200') failures[outcome] = (failures[outcome] ?? 0) + 1
  }
  return {
    asked: latencies.length,
    p50Ms: quantile(latencies, 0.5),
    p99Ms: quantile(latencies, 0.99),
    maxMs: quantile(latencies, 1),
    lateMs: quantile(late, 0.99),
    failures,
  }
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
