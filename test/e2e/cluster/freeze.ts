/** Freezes processes with SIGSTOP: their connections stay open, and nothing is answered. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { until } from './rig.ts'

/** Freezes a process until the function that is returned is called. */
export async function freeze(pid: number): Promise<() => void> {
  process.kill(pid, 'SIGSTOP')
  // The signal takes a moment to reach all threads. Until then the process may still answer.
  await until('all threads have stopped', async () => isStopped(pid), 60_000)
  return () => void process.kill(pid, 'SIGCONT')
}

/** Whether every thread of a process has stopped; true if the system does not show that. */
function isStopped(pid: number): boolean {
  if (!existsSync('/proc/self/task')) return true
  return readdirSync(`/proc/${pid}/task`).every((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/stat`, 'latin1').includes(') T '),
  )
}
