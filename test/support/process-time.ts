/** Reads from the kernel how long a process ran, and how long it was ready to run but waited for a core. */
import { existsSync, readFileSync } from 'node:fs'

/** Times of the main thread since its start, in milliseconds. */
export interface ProcessTime {
  readonly ranMs: number
  readonly waitedMs: number
}

/** Reads the times. Returns zeros if the kernel does not count them (Linux without schedstats, other systems). */
export function timeOf(pid: number): ProcessTime {
  const file = `/proc/${pid}/schedstat`
  const [ran = 0, waited = 0] = existsSync(file) ? readFileSync(file, 'latin1').split(' ').map(Number) : []
  return { ranMs: ran / 1e6, waitedMs: waited / 1e6 }
}

/** How a process spent the time in which this process waited for its answer, in milliseconds. */
export interface Spent {
  /**
   * Processor time of the main thread, which does not depend on the load of the machine. The time in which this process
   * waited for a core is subtracted, because this process may not have sent its request yet.
   */
  readonly ranMs: number
  /** The same without the subtraction: above 0 for every process that did something, where the kernel counts. */
  readonly countedMs: number
  /** Time in which neither of the two processes ran or waited for a core, but for a disk, a lock or a timer. */
  readonly stillMs: number
}

/** Starts to measure the main thread of a process. The returned function gives the times since the start. */
export function startSpending(pid: number): () => Spent {
  const [begunMs, theirs, ours] = [performance.now(), timeOf(pid), timeOf(process.pid)]
  return () => {
    const [they, we] = [timeOf(pid), timeOf(process.pid)]
    const tookMs = performance.now() - begunMs
    const countedMs = they.ranMs - theirs.ranMs
    const ownWaitMs = pid === process.pid ? 0 : we.waitedMs - ours.waitedMs
    const stillMs = tookMs - countedMs - (they.waitedMs - theirs.waitedMs) - ownWaitMs - (we.ranMs - ours.ranMs)
    return { ranMs: Math.max(0, countedMs - ownWaitMs), countedMs, stillMs: Math.max(0, stillMs) }
  }
}

/** Processor time of this process in milliseconds, all threads, since it began. */
export function ownTimeMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000
}
