/** Runs seeds of the simulation: every invariant holds, a seed gives the same run twice, and a broken node is found. */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { countOf } from '../support/count.ts'
import { type Figures, sumOf } from './figures.ts'
import { BROKEN, mutants } from './mutants.ts'
import { simulate } from './run.ts'

const test = suite('simulation')
const cli = fileURLToPath(new URL('cli.ts', import.meta.url))
/** The number of seeds. `make simulate` runs more. */
const SEEDS = countOf({ quick: 10, deep: 200 })
/** The number of seeds of one test, because each test has a time limit. */
const PART = 10
/** The most seeds that are tried to find a broken node. */
const MOST = 20

const allFigures: Figures[] = []

for (let from = 1; from < SEEDS; from += PART)
  test(`seeds ${from} to ${from + PART - 1}`, async () => {
    for (let seed = from; seed < from + PART; seed++) {
      const { violations, figures } = await simulate(seed)
      allFigures.push(figures)
      assert.equal(violations, [], `make simulate SEED=${seed}`)
    }
  })

test('every kind of event happens in these seeds', () => {
  const never = Object.entries(sumOf(allFigures)).filter(([, count]) => count === 0)
  if (allFigures.length === SEEDS) assert.equal(never, [])
})

test('a seed gives the same trace in another process, byte for byte; another seed gives another trace', async () => {
  const trace = async (seed: number): Promise<string> => {
    let text = ''
    const { traceHash } = await simulate(seed, { line: (line) => (text += line) })
    return `${text}trace ${traceHash}\n`
  }
  const [first, other] = [await trace(7), await trace(8)]
  const output = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', cli, 'trace', '7'], {
    encoding: 'utf8',
  })
  assert.ok(first.split('\n').length > 100)
  assert.is(output.slice(0, first.length), first)
  assert.match(output.slice(first.length), /^1 seeds from 7: 0 failed; /)
  assert.is.not(first, other)
})

for (const { says, breaks, oddity, beside, seed: first = 1 } of mutants)
  test(`a node is found that ${says}`, async () => {
    for (let seed = first; seed < first + MOST; seed++) {
      const { violations } = await simulate(seed, { broken: { ...beside, [BROKEN]: oddity } })
      const found = violations.filter(({ what }) => what === breaks)
      if (found.length > 0) return
    }
    assert.unreachable(`${breaks} held in ${MOST} seeds`)
  })

test.run()
