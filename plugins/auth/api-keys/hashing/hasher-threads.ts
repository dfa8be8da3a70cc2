import { Worker } from 'node:worker_threads'
import { workerSource } from './argon2-worker-source.ts'
import { type CreateHasher, type HashCost, SALT_BYTES } from './hasher.ts'

/** A message to a hashing thread. */
export type HashJob =
  | { readonly kind: 'hash'; readonly text: string; readonly salt: Uint8Array; readonly cost: HashCost }
  | { readonly kind: 'verify'; readonly text: string; readonly encoded: string }

/** The answer of a hashing thread. */
export type HashResult = { readonly value: string | boolean } | { readonly problem: string }

/**
 * The hasher of the servers: each hash runs in a worker thread, off the event loop. Threads start on demand, are
 * reused, and do not keep the process alive. The caller limits how many run at a time.
 */
export const createThreadedHasher: CreateHasher = (cost, random) => {
  const idle: Worker[] = []
  const all = new Set<Worker>()

  const start = (): Worker => {
    const worker =
      typeof workerSource === 'string' ? new Worker(workerSource, { eval: true }) : new Worker(workerSource)
    worker.unref()
    all.add(worker)
    worker.on('exit', () => {
      all.delete(worker)
      const at = idle.indexOf(worker)
      if (at >= 0) idle.splice(at, 1)
    })
    return worker
  }
  const run = (job: HashJob): Promise<string | boolean> =>
    new Promise((resolve, reject) => {
      const worker = idle.pop() ?? start()
      const settle = (finish: () => void): void => {
        worker.off('message', onMessage).off('error', onError).off('exit', onExit)
        finish()
      }
      const onMessage = (result: HashResult): void => {
        idle.push(worker)
        settle(() => ('problem' in result ? reject(new Error(result.problem)) : resolve(result.value)))
      }
      const onError = (error: Error): void => settle(() => reject(error))
      const onExit = (): void => settle(() => reject(new Error('the hashing thread ended')))
      worker.on('message', onMessage).on('error', onError).on('exit', onExit)
      worker.postMessage(job)
    })
  return {
    hash: async (text) => String(await run({ kind: 'hash', text, salt: random(SALT_BYTES), cost })),
    verify: async (text, encoded) => (await run({ kind: 'verify', text, encoded })) === true,
    close: async () => {
      await Promise.all([...all].map((worker) => worker.terminate()))
    },
  }
}
