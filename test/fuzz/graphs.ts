/** Random graphs of boards, each in six orders, against a slow oracle: equal commands give an equal project. */
import { suite } from 'uvu'
import { countOf } from '../support/count.ts'
import { drivers } from '../unit/kbd/boards.ts'
import { judgeMany } from '../unit/kbd/judge.ts'
import { runs } from './runs.ts'

/** Graphs of one test: each has the time limit of a test. */
const PART = 100
/** Graphs in `make test`. One takes about 0.4 s of processor time: 216 commands, each applied by six nodes. */
const GRAPHS = 60
/** Test files that share the graphs: each has the time limit of a file, and they run side by side. */
const FILES = 4

/** Judges the share of one of the files. Each part has its own seed; the first file begins with the seed of the environment. */
export function testGraphs(file: number): void {
  const test = suite(`fuzz: kbd ${file} of ${FILES}`)
  const { seed: first = 1 } = runs()
  const numRuns = countOf({ quick: GRAPHS, deep: 2_000, variable: 'SVC_FUZZ_RUNS' })
  let left = Math.ceil(numRuns / FILES)
  for (let seed = first + file - 1; left > 0; seed += FILES) {
    const count = Math.min(PART, left)
    test(`${count} graphs from seed ${seed}`, () => judgeMany(drivers['node:sqlite']!, count, seed))
    left -= count
  }
  test.run()
}
