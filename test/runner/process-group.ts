/** Process groups: finds and ends processes that a test file left running. */
import { readdirSync, readFileSync } from 'node:fs'

/** Sends a signal to a process group. Returns false if the group has no process. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/** Waits until no process of a group runs. Returns false if that takes longer than `limitMs`. */
export async function groupEnds(group: number, limitMs: number): Promise<boolean> {
  const untilMs = performance.now() + limitMs
  while (groupRuns(group)) {
    if (performance.now() > untilMs) return false
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return true
}

/** Whether a process of a group runs. A process that has ended but is not yet reaped does not count. */
function groupRuns(group: number): boolean {
  if (!signalGroup(group, 0)) return false
  if (process.platform !== 'linux') return true
  return readdirSync('/proc').some((pid) => {
    if (!/^\d+$/.test(pid)) return false
    try {
      // proc(5): pid (name) state ppid pgrp …; the name may have spaces and brackets.
      const [state, , pgrp] = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)!.split(' ')
      return Number(pgrp) === group && state !== 'Z'
    } catch {
      return false
    }
  })
}
