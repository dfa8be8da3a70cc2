/**
 * What V8 has compiled of a program by its first answer. A program that brings it neither scans nor compiles again what
 * every start runs; one that brings only what ran at loading, as Node makes it by itself, still compiles half of that.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { buildFail } from '../../build/errors.ts'
import type { Carried } from '../native-binaries.ts'

/** Longest time in milliseconds for one start up to its first answer. */
const START_LIMIT_MS = 60_000

/** How many starts have to agree: of what a busy machine changes now and then, two might be changed alike. */
const AGREEING = 3

/** How many starts may be made until so many agree. */
const MOST_STARTS = 16

/** The exit code of a program whose settings are wrong, or not there. */
const ASKS_FOR_SETTINGS = 78

/** What is run to make a code cache. */
export interface WarmRun {
  /** The Node that will read it: V8 takes no other's. */
  readonly node: string
  /** The program as the script that will bring the cache. */
  readonly script: string
  /** The addons that it may ask for. */
  readonly binaries: readonly Carried[]
}

/**
 * Makes the code cache of a script: starts it, asks it for `/health` and takes what was compiled then. A start on a busy
 * machine may come less far in its time, so what counts is what three starts agree on. Undefined if no three agree or one does not answer in time, so that a busy
 * machine fails no build, and for a program that asks for settings which only its user has.
 * @throws SvcError `ERR_BUILD_FAILED` where the program does not answer
 */
export async function makeCodeCache(run: WarmRun): Promise<Buffer | undefined> {
  const made: Buffer[] = []
  for (let more = AGREEING; made.length < MOST_STARTS; more = 1) {
    for (const cache of await Promise.all(Array.from({ length: more }, () => startOnce(run)))) {
      if (cache === undefined) return undefined
      made.push(cache)
      if (made.filter((one) => one.equals(cache)).length === AGREEING) return cache
    }
  }
  return undefined
}

async function startOnce({ node, script, binaries }: WarmRun): Promise<Buffer | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'svc-warm-'))
  try {
    const [program, cache, assets] = ['svc.cjs', 'code-cache', 'assets.json'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(program, script, 'latin1')
    writeFileSync(assets, JSON.stringify(Object.fromEntries(binaries.map(({ name, file }) => [name, file]))))
    // Without types, so that Node loads the same in the same order wherever this project is installed: it counts what it compiles.
    const source = readFileSync(new URL('./warm-child.ts', import.meta.url), 'utf8')
    const child = join(home, 'warm-child.mjs')
    writeFileSync(child, (await transform(source, { loader: 'ts', target: 'esnext' })).code)
    // V8 salts its hashes with the seed, and they are in the cache. WebAssembly that is compiled beside the rest is there now
    // earlier and now later, and what is numbered behind it is in the cache too.
    const flags = ['--random-seed=1', '--no-wasm-async-compilation', '--disable-warning=ExperimentalWarning']
    const args = [...flags, child, program, assets, cache]
    const { code, late, said } = await ended(node, args, { ...settings, HOME: home, TMPDIR: home })
    if (code === 0) return readFileSync(cache)
    if (code === ASKS_FOR_SETTINGS || late) return undefined
    throw buildFail('ERR_BUILD_FAILED', { message: `The program did not answer its first request: ${said}` })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Waits for the end of a process. */
function ended(
  node: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly late: boolean; readonly said: string }> {
  return new Promise((resolve) => {
    let said = ''
    const child = spawn(node, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: START_LIMIT_MS, env })
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      said = (said + piece).slice(-4_096)
    })
    child.once('error', ({ message }) => resolve({ code: null, late: false, said: message }))
    // The only signal is that of the time limit.
    child.once('close', (code, signal) =>
      resolve({ code, late: signal === 'SIGTERM', said: said.trim().split('\n').at(-1) ?? '' }),
    )
  })
}

/** What a start needs: a secret, and a port that is free. */
const settings = {
  SVC_SECURITY__JWT_SECRET: 'of no use: the process ends with its first answer',
  SVC_SERVER__PORT: '0',
}
