/**
 * Measures the time from saving a file to the first answer of the new process: `svc-build dev` against bare esbuild,
 * which rebuilds the same entry in a kept context and starts the same program. Rounds alternate, and medians are
 * compared.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../build/paths.ts'
import { isMet, Rows, roundsOf, show } from '../harness/figures.ts'
import { type Contestant, environment, openBare, untilServed } from './bare.ts'

const ROUNDS = roundsOf(15)

/** Highest allowed ratio to the time of bare esbuild and a start. */
const MOST = 2
const BARE = 'bare esbuild and a start'

/** Runs the comparison. Returns true if the bar is met. */
export async function bench(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const contestants = new Map<string, Contestant>()
  const times = new Rows()
  try {
    const cli = join(root, 'scripts/toolkit/cli.ts')
    spawnSync(process.execPath, [...process.execArgv, cli, 'init'], { cwd: folder, stdio: 'ignore' })
    const file = join(folder, 'quote.ts')
    const text = readFileSync(file, 'utf8')
    const profile = join(folder, 'edge.ts')
    contestants.set('svc-build dev', await openDev(cli, profile, folder))
    contestants.set(BARE, await openBare(profile))
    for (let round = -1; round < ROUNDS; round++) {
      for (const [name, one] of contestants) {
        const wanted = `Round ${round} of ${name}.`
        const ms = await one.round(() => writeFileSync(file, text.replaceAll('Less is more.', wanted)), wanted)
        // The first round fills the caches.
        if (round >= 0) times.add(name, ms)
      }
    }
  } finally {
    for (const one of contestants.values()) await one.close()
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`a saved file, to the first answer of the new process; medians of ${ROUNDS} rounds in turn`)
  for (const name of times.names) show(name, `${times.median(name).toFixed(0)} ms`)
  return isMet(`svc-build dev / ${BARE}`, times.median('svc-build dev') / times.median(BARE), MOST, 'at most')
}

/** Starts `svc-build dev` for a profile as a developer does, and waits for the first process of the service. */
async function openDev(cli: string, profile: string, cwd: string): Promise<Contestant> {
  const child = spawn(process.execPath, [...process.execArgv, cli, 'dev', profile, '--port', '0'], {
    cwd,
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  const port = await new Promise<number>((resolve, reject) => {
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk
      const [, portText] = /127\.0\.0\.1:(\d+)/.exec(stderr) ?? []
      if (portText !== undefined) resolve(Number(portText))
    })
    void exited.then(() => reject(new Error(stderr)))
  })
  return {
    round: async (save, wanted) => {
      const sinceMs = performance.now()
      save()
      const ms = (await untilServed(port, wanted)) - sinceMs
      // `svc-build dev` plans again after a pause without saves; the pause between rounds is that of a developer.
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      return ms
    },
    close: async () => {
      child.kill('SIGTERM')
      await exited
    },
  }
}
