/** Random graphs of boards, in six orders each, against an oracle that works by force: equal commands, equal project. */
import { suite } from 'uvu'
import { drivers } from '../unit/kbd/boards.ts'
import { judgeMany } from '../unit/kbd/judge.ts'
import { runs } from './runs.ts'

/** Graphs of one test: each has the time limit of a test. */
const PART = 100
/** Test files that share the graphs: each has the time limit of a file, and they run side by side. */
const FILES = 4

/** Judges the share of one of the files. Parts have seeds of their own; the first file begins with the seed that was asked for. */
export function testGraphs(file: number): void {
  const test = suite(`fuzz: kbd ${file} of ${FILES}`)
  const { numRuns, seed: first = 1 } = runs()
  let left = Math.ceil(numRuns / FILES)
  for (let seed = first + file - 1; left > 0; seed += FILES) {
    const count = Math.min(PART, left)
    test(`${count} graphs from seed ${seed}`, () => judgeMany(drivers['node:sqlite']!, count, seed))
    left -= count
  }
  test.run()
}
