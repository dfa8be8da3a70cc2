/** A hashing thread: takes one job at a time and answers each. */
import { parentPort } from 'node:worker_threads'
import { hashText, verifyText } from './argon2.ts'
import type { HashJob, HashResult } from './hasher-threads.ts'

parentPort!.on('message', async (job: HashJob) => {
  let result: HashResult
  try {
    const value =
      job.kind === 'hash' ? await hashText(job.text, job.salt, job.cost) : await verifyText(job.text, job.encoded)
    result = { value }
  } catch (error) {
    result = { problem: error instanceof Error ? error.message : String(error) }
  }
  parentPort!.postMessage(result)
})
