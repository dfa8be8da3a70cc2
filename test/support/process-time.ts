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

/** By what factor a process was slower from `before` to `after` than on a core of its own; 1 where that is not known. */
export function slowdown(before: ProcessTime, after: ProcessTime): number {
  const ranMs = after.ranMs - before.ranMs
  return ranMs > 0 ? 1 + (after.waitedMs - before.waitedMs) / ranMs : 1
}
