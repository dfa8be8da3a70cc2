/** The memory of a process, as the kernel counts it. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Resident memory in bytes. */
export interface ProcessMemory {
  readonly rssBytes: number
  /** The highest since the start, or since `resetPeak`. The kernel keeps it, so that no peak falls between two looks. */
  readonly peakBytes: number
}

/** Why memory cannot be read here; undefined where it can. */
export const noMemory: string | undefined = existsSync('/proc/self/clear_refs') ? undefined : 'no /proc/<pid>/status'

/** Reads it. Fails where the process is gone. */
export function memoryOf(pid: number): ProcessMemory {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return { rssBytes: field(status, 'VmRSS'), peakBytes: field(status, 'VmHWM') }
}

/** Sets the peak to what is in use now (proc(5), clear_refs). */
export function resetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

function field(status: string, name: string): number {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)
  if (found === null) throw new Error(`no ${name}: the process has ended`)
  return Number(found[1]) * 1024
}
