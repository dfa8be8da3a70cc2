/**
 * Measures the time from saving a file to the first answer of the new process: `svc-build dev` against bare esbuild,
 * which rebuilds the same entry in a kept context and starts the same program. Rounds alternate, and medians are
 * compared.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../build/paths.ts'
import { median } from '../statistics.ts'
import { openBare } from './bare.ts'
import type { Contestant } from './contestant.ts'
import { openDev } from './dev.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15)

/** Highest allowed ratio to the time of bare esbuild and a start. */
const MOST = 2

/** Runs the comparison. Returns true if the bar is met. */
export async function benchDev(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const contestants = new Map<string, Contestant>()
  const times = new Map<string, number[]>()
  try {
    const cli = join(root, 'scripts/toolkit/cli.ts')
    spawnSync(process.execPath, [...process.execArgv, cli, 'init'], { cwd: folder, stdio: 'ignore' })
    const file = join(folder, 'quote.ts')
    const text = readFileSync(file, 'utf8')
    const profile = join(folder, 'edge.ts')
    contestants.set('svc-build dev', await openDev(cli, profile, folder))
    contestants.set('bare esbuild and a start', await openBare(profile))
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, one] of contestants) {
        const wanted = `Round ${round} of ${name}.`
        const ms = await one.round(() => writeFileSync(file, text.replaceAll('Less is more.', wanted)), wanted)
        // The first round fills the caches.
        if (round >= 0) times.set(name, [...(times.get(name) ?? []), ms])
      }
    }
  } finally {
    for (const one of contestants.values()) await one.close()
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`a saved file, to the first answer of the new process; medians of ${ROUNDS} rounds in turn`)
  for (const [name, all] of times) console.log(`${name.padEnd(26)} ${median(all).toFixed(0).padStart(5)} ms`)
  const [ours = Number.NaN, bare = Number.NaN] = [...times.values()].map(median)
  const ratio = ours / bare
  const kept = ratio <= MOST
  console.log(
    `\nbar: svc-build dev of bare esbuild and a start ≤ ${MOST}: ${ratio.toFixed(2)} ${kept ? 'kept' : 'MISSED'}`,
  )
  return kept
}
