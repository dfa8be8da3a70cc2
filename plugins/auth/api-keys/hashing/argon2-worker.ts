/** A hashing thread: takes one job at a time and answers each job. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { loadArgon2 } from './argon2.ts'
import type { HashJob, HashResult } from './hasher-threads.ts'

const port = parentPort
if (port === null) throw new Error('This module is the entry of a worker thread.')
yieldToOthers()
port.on('message', async (job: HashJob) => {
  let result: HashResult
  try {
    const argon2 = await loadArgon2()
    const value =
      job.kind === 'hash' ? await argon2.hash(job.text, job.salt, job.cost) : await argon2.verify(job.text, job.encoded)
    result = { value }
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : String(error) }
  }
  port.postMessage(result)
})

/**
 * Lowers the priority of this thread on Linux, where threads have their own priority. A hash occupies a core for some
 * 60 ms, and on a machine with few cores the event loop would compete with it.
 */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return
  try {
    // The link is `<pid>/task/<tid>`. Linux schedules a thread like a process, by its tid.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without /proc, or in a sandbox that forbids the call, hashes run at normal priority.
  }
}
