/**
 * `make simulate SEEDS=1000 FROM=1` runs that many seeds; `SEED=7` runs one seed and prints its trace. Exits with 1 if
 * an invariant did not hold, and prints the failed seeds.
 */
import { FIGURES, type Figures, noFigures, sumOf } from './figures.ts'
import { simulate } from './run.ts'

const [mode, first = '1', count = '1'] = process.argv.slice(2)
const from = Number(first)
const seeds = mode === 'trace' ? 1 : Number(count)
if (!['trace', 'run'].includes(mode ?? '') || !Number.isSafeInteger(from) || !(seeds >= 1))
  throw new TypeError('usage: simulate trace SEED | run FROM COUNT')
const sinceMs = performance.now()
const line = mode === 'trace' ? (text: string): void => void process.stdout.write(text) : undefined
const failed: number[] = []
let steps = 0
let virtualMs = 0
let figures: Figures = noFigures()
for (let seed = from; seed < from + seeds; seed++) {
  const outcome = await simulate(seed, line === undefined ? {} : { line })
  steps += outcome.steps
  virtualMs += outcome.virtualMs
  figures = sumOf([figures, outcome.figures])
  if (line !== undefined) console.log(`trace ${outcome.traceHash}`)
  if (outcome.violations.length === 0) continue
  failed.push(seed)
  for (const { what, node, detail } of outcome.violations.slice(0, 5))
    console.log(`seed ${seed}: ${what} ${node}: ${detail}`)
}
const seconds = (performance.now() - sinceMs) / 1_000
console.log(
  `${seeds} seeds from ${from}: ${failed.length} failed; ${steps} events, ${Math.round(virtualMs / 3_600_000)} h of ` +
    `virtual time, ${seconds.toFixed(0)} s`,
)
console.log(FIGURES.map((name) => `${figures[name]} ${name}`).join(', '))
if (failed.length > 0) console.log(`make simulate SEED=${failed[0]}`)
process.exit(failed.length > 0 ? 1 : 0)
