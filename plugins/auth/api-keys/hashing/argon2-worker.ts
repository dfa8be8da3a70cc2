/** A hashing thread: takes one job at a time and answers each. */
import { readlinkSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { loadArgon2 } from './argon2.ts'
import type { HashJob, HashResult } from './hasher-threads.ts'

yieldToOthers()
parentPort!.on('message', async (job: HashJob) => {
  let result: HashResult
  try {
    const argon2 = await loadArgon2()
    const value =
      job.kind === 'hash' ? await argon2.hash(job.text, job.salt, job.cost) : await argon2.verify(job.text, job.encoded)
    result = { value }
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : String(error) }
  }
  parentPort!.postMessage(result)
})

/**
 * Lowers the priority of this thread, where threads have one of their own and it can be found: a hash takes a core for
 * 80 ms, and with few cores the event loop would have to share with it.
 */
function yieldToOthers(): void {
  if (process.platform !== 'linux') return
  try {
    // `<pid>/task/<tid>`; to Linux a thread is a process that shares its memory.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1))
    setPriority(thread, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // Without /proc, or where a sandbox forbids it, hashes run at the priority of the rest.
  }
}
