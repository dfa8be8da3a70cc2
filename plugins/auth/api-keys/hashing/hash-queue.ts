import { httpFail } from '../../../../core/catalogue.ts'

/** Runs jobs, so many at a time, with a bounded line behind them that is fair by lane. */
export interface HashQueue {
  /**
   * Runs `job` when it is the turn of its lane: lanes with somebody waiting take turns. Where the line is full, the
   * longest lane gives way, so that no lane fills the line for the others.
   * @throws SvcError `overloaded`, at once or when the job gave way
   */
  run<T>(lane: string, job: () => Promise<T>): Promise<T>
}

/** Seconds after which a client that was turned away may come again: the line is worked off in about that time. */
const RETRY_AFTER_SECONDS = '3'

interface Waiting {
  readonly begin: () => void
  readonly refuse: (error: unknown) => void
}

/** A queue that runs `parallel` jobs at a time and lets `waiting` more wait. */
export function createHashQueue(limits: { readonly parallel: number; readonly waiting: number }): HashQueue {
  /** Who waits, by lane. The first lane is the next to have a turn; none is empty. */
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
  /** Lets one who waits go, in favour of somebody in a lane where `own` wait. */
  const makeRoom = (own: number): void => {
    let longest: Waiting[] = []
    for (const line of lanes.values()) if (line.length > longest.length) longest = line
    const overloaded = httpFail('overloaded', { headers: { 'retry-after': RETRY_AFTER_SECONDS } })
    if (longest.length <= own + 1) throw overloaded
    // Who came last has waited least.
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
