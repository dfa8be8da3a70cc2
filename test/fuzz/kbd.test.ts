/** Random graphs of boards, in six orders each, against an oracle that works by force: equal commands, equal project. */
import { suite } from 'uvu'
import { drivers } from '../unit/kbd/boards.ts'
import { judgeMany } from '../unit/kbd/judge.ts'
import { runs } from './runs.ts'

const test = suite('fuzz: kbd')
/** Graphs of one test: each has the time limit of a test. */
const PART = 100

const { numRuns, seed = 1 } = runs()
for (let left = numRuns, part = 0; left > 0; left -= PART, part++) {
  const count = Math.min(PART, left)
  test(`${count} graphs from seed ${seed + part}`, () => judgeMany(drivers['node:sqlite']!, count, seed + part))
}

test.run()
