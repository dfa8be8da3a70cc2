/** How long a process ran, and how long it was ready to run and had no core, as the kernel counts it. */
import { existsSync, readFileSync } from 'node:fs'

/** Milliseconds of the main thread since it began. */
export interface ProcessTime {
  readonly ranMs: number
  readonly waitedMs: number
}

/** Reads it; zeros where the kernel does not count (Linux without schedstats, other systems). */
export function timeOf(pid: number): ProcessTime {
  const file = `/proc/${pid}/schedstat`
  const [ran = 0, waited = 0] = existsSync(file) ? readFileSync(file, 'latin1').split(' ').map(Number) : []
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 }
}

/** What a process did while this one waited for its answer, in milliseconds. */
export interface Spent {
  /**
   * Processor time of its main thread: what it was busy with, however busy the machine is. What it may have done while this process
   * wanted a core and had none is left out, because this process may not have asked yet.
   */
  readonly ranMs: number
  /** Time in which neither of the two ran or wanted to: for a disk, a lock, a timer. */
  readonly stillMs: number
}

/** Begins to measure the main thread of a process; the returned function gives what it spent until then. */
export function startSpending(pid: number): () => Spent {
  const [begunMs, theirs, ours] = [performance.now(), timeOf(pid), timeOf(process.pid)]
  return () => {
    const [they, we] = [timeOf(pid), timeOf(process.pid)]
    const tookMs = performance.now() - begunMs
    const ranMs = they.ranMs - theirs.ranMs
    const ownWaitMs = pid === process.pid ? 0 : we.waitedMs - ours.waitedMs
    const stillMs = tookMs - ranMs - (they.waitedMs - theirs.waitedMs) - ownWaitMs - (we.ranMs - ours.ranMs)
    return { ranMs: Math.max(0, ranMs - ownWaitMs), stillMs: Math.max(0, stillMs) }
  }
}

/** Processor time of this process in milliseconds, all threads, since it began. */
export function ownTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
