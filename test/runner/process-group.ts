/** The processes that a test file started and may have left behind. */
import { readdirSync, readFileSync } from 'node:fs'

/** Signals all of a group. False where none of it is left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal)
  } catch {
    return false
  }
}

/** Whether anything of a group still runs. What has ended and was not reaped yet does not run. */
export function groupRuns(group: number): boolean {
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

/** Waits until nothing of a group runs any more. False when `limitMs` have passed before. */
export async function groupEnds(group: number, limitMs: number): Promise<boolean> {
  const untilMs = performance.now() + limitMs
  while (groupRuns(group)) {
    if (performance.now() > untilMs) return false
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  return true
}
