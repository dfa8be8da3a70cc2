import { httpFail } from '../../../../core/kernel/catalogue.ts'

/** Runs a limited number of jobs at a time and lets a limited number wait. Owners of jobs take turns. */
export interface HashQueue {
  /**
   * Runs `job` when it is the turn of its owner. A full queue refuses the last job of the owner with the most waiting
   * jobs, so that no owner can fill the queue. It refuses `job` itself if that owner has at most one job more than the
   * owner of `job`.
   * @throws SvcError `overloaded`, at once or while the job waits
   */
  run<T>(owner: string, job: () => Promise<T>): Promise<T>
}

/** Seconds after which a refused client may try again. A full queue is processed in about that time. */
const RETRY_AFTER_SECONDS = '3'

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: unknown) => void
}

/** Creates a queue that runs `parallel` jobs at a time and lets `waiting` more wait. */
export function createHashQueue(limits: { readonly parallel: number; readonly waiting: number }): HashQueue {
  /** The waiting jobs by owner. The first owner has the next turn. No list is empty. */
  const lines = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  const next = (): void => {
    const first = lines.entries().next().value
    if (first === undefined) {
      running--
      return
    }
    const [owner, line] = first
    lines.delete(owner)
    waiting--
    line.shift()!.begin()
    if (line.length > 0) lines.set(owner, line)
  }
  /** Refuses one waiting job in favour of a job whose owner has `count` waiting jobs. */
  const makeRoom = (count: number): void => {
    let longest: Waiting[] = []
    for (const line of lines.values()) if (line.length > longest.length) longest = line
    const overloaded = httpFail('overloaded', { headers: { 'retry-after': RETRY_AFTER_SECONDS } })
    if (longest.length <= count + 1) throw overloaded
    // The last job has waited for the shortest time.
    longest.pop()!.refuse(overloaded)
    waiting--
  }
  const turn = (owner: string): Promise<void> => {
    if (waiting >= limits.waiting) makeRoom(lines.get(owner)?.length ?? 0)
    waiting++
    return new Promise((begin, refuse) => {
      const line = lines.get(owner)
      if (line === undefined) lines.set(owner, [{ begin, refuse }])
      else line.push({ begin, refuse })
    })
  }
  return {
    run: async (owner, job) => {
      if (running < limits.parallel) running++
      else await turn(owner)
      try {
        return await job()
      } finally {
        next()
      }
    },
  }
}
