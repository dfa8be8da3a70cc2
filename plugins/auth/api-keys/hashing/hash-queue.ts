import { httpFail } from '../../../../core/catalogue.ts'

/** Runs a limited number of jobs at a time and lets a limited number wait, in lanes that take turns. */
export interface HashQueue {
  /**
   * Runs `job` when its lane has a turn. If too many jobs wait, the last job of the longest lane is refused, so that no
   * lane can fill the queue.
   * @throws SvcError `overloaded`, at once or while the job waits
   */
  run<T>(lane: string, job: () => Promise<T>): Promise<T>
}

/** Seconds after which a refused client may try again. A full queue is processed in about that time. */
const RETRY_AFTER_SECONDS = '3'

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: unknown) => void
}

/** Creates a queue that runs `parallel` jobs at a time and lets `waiting` more wait. */
export function createHashQueue(limits: { readonly parallel: number; readonly waiting: number }): HashQueue {
  /** The waiting jobs by lane. The first lane has the next turn. No lane is empty. */
  const lanes = new Map<string, Waiting[]>()
  let running = 0
  let waiting = 0

  const next = (): void => {
    const first = lanes.entries().next().value
    if (first === undefined) {
      running--
      return
    }
    const [lane, line] = first
    lanes.delete(lane)
    waiting--
    line.shift()!.begin()
    if (line.length > 0) lanes.set(lane, line)
  }
  /** Refuses one waiting job in favour of a job whose lane has `own` waiting jobs. */
  const makeRoom = (own: number): void => {
    let longest: Waiting[] = []
    for (const line of lanes.values()) if (line.length > longest.length) longest = line
    const overloaded = httpFail('overloaded', { headers: { 'retry-after': RETRY_AFTER_SECONDS } })
    if (longest.length <= own + 1) throw overloaded
    // The last job has waited for the shortest time.
    longest.pop()!.refuse(overloaded)
    waiting--
  }
  const turn = (lane: string): Promise<void> => {
    if (waiting >= limits.waiting) makeRoom(lanes.get(lane)?.length ?? 0)
    waiting++
    return new Promise((begin, refuse) => {
      const line = lanes.get(lane)
      if (line === undefined) lanes.set(lane, [{ begin, refuse }])
      else line.push({ begin, refuse })
    })
  }
  return {
    run: async (lane, job) => {
      if (running < limits.parallel) running++
      else await turn(lane)
      try {
        return await job()
      } finally {
        next()
      }
    },
  }
}
