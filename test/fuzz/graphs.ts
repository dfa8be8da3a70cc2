/**
 * Random command graphs of boards, each applied in six orders and compared with a slow oracle: equal commands give an
 * equal project.
 */
import { suite } from 'uvu'
import { countOf } from '../support/count.ts'
import { drivers } from '../unit/kbd/boards.ts'
import { judgeMany } from '../unit/kbd/judge.ts'
import { runs } from './runs.ts'

/** The number of graphs of one test, because each test has a time limit. */
const PART = 100
/**
 * The number of graphs in `make test`. One graph takes about 0.4 s of processor time: 216 commands, each applied by six
 * nodes.
 */
const GRAPHS = 32
/** The number of test files that share the graphs. The files run in parallel, and each has a time limit. */
const FILES = 4

/**
 * Tests the graphs of one of the files. Each test has its own seed. The first file begins with the seed of the
 * environment.
 */
export function testGraphs(file: number): void {
  const test = suite(`fuzz: kbd ${file} of ${FILES}`)
  const { seed: first = 1 } = runs()
  const numRuns = countOf({ quick: GRAPHS, deep: 2_000, variable: 'SVC_FUZZ_RUNS' })
  let remaining = Math.ceil(numRuns / FILES)
  for (let seed = first + file - 1; remaining > 0; seed += FILES) {
    const count = Math.min(PART, remaining)
    test(`${count} graphs from seed ${seed}`, () => judgeMany(drivers['node:sqlite']!, count, seed))
    remaining -= count
  }
  test.run()
}
