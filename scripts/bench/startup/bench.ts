/**
 * Measures a start, from the process to its first 200, against bare Node: time, CPU time and memory. Rounds are
 * interleaved, and the median of each contestant is compared.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { distDir } from '../../build/paths.ts'
import { inTurns, isMet, Rows, roundsOf, show } from '../harness/figures.ts'
import { withFolder } from '../harness/processes.ts'
import { type Cost, startBare, startService } from './start.ts'

const ROUNDS = roundsOf(21)
const BARE = 'node -e 0'

/** Highest allowed time of a start, as a multiple of bare Node. */
const MOST_TIME = { 'minimal executable': 2, 'server-full executable': 2.8 }

/**
 * Highest allowed memory of a start, as a multiple of bare Node: the values from before lazy loading and the code
 * cache.
 */
const MOST_MEMORY = {
  ...{ 'minimal executable': 1.73, 'minimal svc.mjs': 2.25 },
  ...{ 'server-full executable': 2.6, 'server-full svc.mjs': 3.7 },
}

const columns: readonly (keyof Cost)[] = ['timeMs', 'processorMs', 'memoryMib']

/** Runs the comparison. Returns true if every bar is met. */
export function bench(): Promise<boolean> {
  return withFolder(async (folder) => {
    const contestants: (readonly [name: string, start: () => Promise<Cost>])[] = [[BARE, startBare]]
    for (const profile of ['minimal', 'server-full']) {
      const executable = join(distDir(profile), 'svc')
      if (!existsSync(executable)) throw new Error(`Build first: make binary PROFILE=${profile}`)
      contestants.push([`${profile} executable`, () => startService(executable, [], folder)])
      const script = [join(distDir(profile), 'svc.mjs')]
      contestants.push([`${profile} svc.mjs`, () => startService(process.execPath, script, folder)])
    }
    for (const [, start] of contestants) await start()
    const rows = new Rows()
    await inTurns(ROUNDS, contestants, async ([name, start]) => {
      const cost = await start()
      for (const column of columns) rows.add(`${name} ${column}`, cost[column])
    })
    const multiple = (name: string, column: keyof Cost): number =>
      rows.median(`${name} ${column}`) / rows.median(`${BARE} ${column}`)

    console.log(`start, process to first 200; medians of ${ROUNDS} rounds, in brackets multiples of ${BARE}`)
    show('', 'time, ms', 'CPU time, ms', 'memory, MiB')
    for (const [name] of contestants) {
      const cell = (column: keyof Cost): string =>
        `${rows.median(`${name} ${column}`).toFixed(0)} (${multiple(name, column).toFixed(2)})`
      show(name, ...columns.map(cell))
    }
    console.log()
    return [
      ...Object.entries(MOST_TIME).map(([name, most]) =>
        isMet(`${name}, time of ${BARE}`, multiple(name, 'timeMs'), most, 'at most'),
      ),
      ...Object.entries(MOST_MEMORY).map(([name, most]) =>
        isMet(`${name}, memory of ${BARE}`, multiple(name, 'memoryMib'), most, 'at most'),
      ),
    ].every(Boolean)
  })
}
