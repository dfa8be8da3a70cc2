/** Reads the memory of a process from the kernel. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** The resident memory of a process, in bytes. */
export interface ProcessMemory {
  readonly rssBytes: number
  /**
   * The highest value since the start, or since `resetPeak`. The kernel records it, so that no peak between two reads
   * is missed.
   */
  readonly peakBytes: number
}

/** The reason why memory cannot be read here. Undefined if it can be read. */
export const noMemory: string | undefined = existsSync('/proc/self/clear_refs') ? undefined : 'no /proc/<pid>/status'

/** Reads the memory of a process. @throws Error if the process has ended */
export function memoryOf(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return { rssBytes: field(status, 'VmRSS'), peakBytes: field(status, 'VmHWM') }
}

/** Sets the peak to the memory in use now (proc(5), clear_refs). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function field(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)
  if (found === null) throw new Error(`no ${name}: the process has ended`)
  return Number(found[1]) * 1024
}
