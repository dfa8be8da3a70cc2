/**
 * Runs steps ahead of the tests that report them, in several lanes: most of the time a step waits for its own service.
 * The order of the reports does not change.
 */

/** Gives the result of a step. The first call starts the lanes. */
export type Result = () => Promise<void>

/** A number of lanes. */
export interface Lanes {
  /**
   * Adds steps that run one after the other in one lane, whether or not an earlier one failed. Of all exclusive steps
   * only those of one call run at a time.
   */
  add(steps: readonly (() => Promise<void>)[], isExclusive: boolean): Result[]
}

interface Job {
  readonly isExclusive: boolean
  run(): Promise<void>
}

/** Creates lanes. With one lane, nothing runs side by side. */
export function createLanes(count: number): Lanes {
  const waiting: Job[] = []
  const running = new Set<Job>()
  const isFree = (job: Job): boolean => !job.isExclusive || ![...running].some((other) => other.isExclusive)
  const startNext = (): void => {
    while (running.size < count) {
      const at = waiting.findIndex(isFree)
      if (at < 0) return
      const [job] = waiting.splice(at, 1) as [Job]
      running.add(job)
      void job.run().then(() => {
        running.delete(job)
        startNext()
      })
    }
  }
  return {
    add: (steps, isExclusive) => {
      const settled = steps.map(() => settleable())
      const run = async (): Promise<void> => {
        for (const [index, step] of steps.entries()) await step().then(settled[index]!.resolve, settled[index]!.reject)
      }
      waiting.push({ isExclusive, run })
      return settled.map(({ promise }) => () => {
        startNext()
        return promise
      })
    },
  }
}

function settleable(): { promise: Promise<void>; resolve: () => void; reject: (error: unknown) => void } {
  let resolve!: () => void
  let reject!: (error: unknown) => void
  const promise = new Promise<void>((done, failed) => {
    resolve = done
    reject = failed
  })
  // A step may fail before its test asks for the result.
  promise.catch(() => undefined)
  return { promise, resolve, reject }
}
