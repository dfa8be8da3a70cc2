/** Seeds of the simulation: every invariant holds, a seed gives the same run twice, and a broken node is found. */
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
/** Seeds that are run each time; `make simulate` runs more. */
const SEEDS = countOf({ quick: 40, deep: 200 })
/** Seeds of one test: each has the time limit of a test. */
const PART = 20
/** A broken node is found within this many seeds. */
const MOST = 20

const told: Figures[] = []

for (let from = 1; from < SEEDS; from += PART)
  test(`seeds ${from} to ${from + PART - 1}`, async () => {
    for (let seed = from; seed < from + PART; seed++) {
      const { violations, figures } = await simulate(seed)
      told.push(figures)
      assert.equal(violations, [], `make simulate SEED=${seed}`)
    }
  })

test('every kind of event happens in these seeds', () => {
  const never = Object.entries(sumOf(told)).filter(([, count]) => count === 0)
  if (told.length === SEEDS) assert.equal(never, [])
})

test('a seed gives the same trace in another process, byte for byte; another seed gives another trace', async () => {
  const trace = async (seed: number): Promise<string> => {
    let text = ''
    const { traceHash } = await simulate(seed, { line: (line) => (text += line) })
    return `${text}trace ${traceHash}\n`
  }
  const [first, other] = [await trace(7), await trace(8)]
  const told = execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', cli, 'trace', '7'], {
    encoding: 'utf8',
  })
  assert.ok(first.split('\n').length > 100)
  assert.is(told.slice(0, first.length), first)
  assert.match(told.slice(first.length), /^1 seeds from 7: 0 failed; /)
  assert.is.not(first, other)
})

for (const { says, breaks, oddity, beside } of mutants)
  test(`found: a node that ${says}`, async () => {
    for (let seed = 1; seed <= MOST; seed++) {
      const { violations } = await simulate(seed, { broken: { ...beside, [BROKEN]: oddity } })
      const found = violations.filter(({ what }) => what === breaks)
      if (found.length > 0) return
    }
    assert.unreachable(`${breaks} held in ${MOST} seeds`)
  })

test.run()
