/**
 * Creates the code cache of a program: the code that V8 has compiled up to the first answer. A program with this cache
 * neither scans nor compiles the code of every start again. Node's own cache contains only the code that ran while
 * loading, so half of the start code would still be compiled.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { buildFail } from '../../build/errors.ts'
import { asksForPlace, toScript } from '../../build/generate/program-file.ts'
import type { TargetPlan } from '../../build/plan/target-plan.ts'
import { assetFiles } from '../../build/plan/target-plan.ts'
import { cacheDir, isCi, readJson, writeJson } from '../../build/record/sealed-file.ts'
import type { Carried } from '../native-binaries.ts'
import { nativeBinaries } from '../native-binaries.ts'
import { host } from '../node-runtime.ts'

/** Longest time in milliseconds from one start to its first answer. */
const START_LIMIT_MS = 60_000

/**
 * Number of starts that must give the same cache. With two, the same random variation of a busy machine could occur in
 * both.
 */
const AGREEING = 3

/** Highest number of starts until enough of them agree. */
const MOST_STARTS = 16

/** The exit code of a program with wrong or missing settings. */
const SETTINGS_MISSING = 78

/** The input of a code cache. */
export interface WarmRun {
  /** The Node that will read the cache. V8 rejects a cache of another Node. */
  readonly node: string
  /** The program as a script, with the same bytes as in the executable. */
  readonly script: string
  /** The addons that the program can load. */
  readonly binaries: readonly Carried[]
  /** The files that the program finds beside itself: name to source. */
  readonly assets: Readonly<Record<string, string>>
}

/**
 * Creates the code cache of a script: starts it, requests `/health`, and serializes the compiled code. A start on a
 * busy machine can compile less in its time, so three starts must give the same cache. Returns undefined if no three
 * starts agree or one does not answer in time, so that a busy machine fails no build. Also returns undefined for a
 * program that needs settings which only its user has.
 * @throws SvcError `ERR_BUILD_FAILED` if the program does not answer
 */
async function makeCodeCache(run: WarmRun): Promise<Buffer | undefined> {
  const caches: Buffer[] = []
  for (let more = AGREEING; caches.length < MOST_STARTS; more = 1) {
    for (const cache of await Promise.all(Array.from({ length: more }, () => startOnce(run)))) {
      if (cache === undefined) return undefined
      caches.push(cache)
      if (caches.filter((other) => other.equals(cache)).length === AGREEING) return cache
    }
  }
  return undefined
}

async function startOnce({ node, script, binaries, assets: beside }: WarmRun): Promise<Buffer | undefined> {
  const home = mkdtempSync(join(tmpdir(), 'svc-warm-'))
  try {
    const [program, cache, assets] = ['svc.cjs', 'code-cache', 'assets.json'].map((name) => join(home, name)) as [
      string,
      string,
      string,
    ]
    writeFileSync(program, script, 'latin1')
    for (const [name, source] of Object.entries(beside)) copyFileSync(source, join(home, name))
    writeFileSync(assets, JSON.stringify(Object.fromEntries(binaries.map(({ name, file }) => [name, file]))))
    // Types are removed, so that Node loads the same modules in the same order wherever this project is installed: V8
    // numbers the scripts that it compiles.
    const source = readFileSync(new URL('./warm-child.ts', import.meta.url), 'utf8')
    const child = join(home, 'warm-child.mjs')
    writeFileSync(child, (await transform(source, { loader: 'ts', target: 'esnext' })).code)
    // The cache contains V8's hashes, which depend on the random seed. Asynchronous WebAssembly compilation ends at
    // varying times, and the cache contains script numbers that depend on it.
    const flags = ['--random-seed=1', '--no-wasm-async-compilation', '--disable-warning=ExperimentalWarning']
    const args = [...flags, child, program, assets, cache]
    const { code, late, stderr } = await ended(node, args, { ...settings, HOME: home, TMPDIR: home })
    if (code === 0) return readFileSync(cache)
    if (code === SETTINGS_MISSING || late) return undefined
    throw buildFail('ERR_BUILD_FAILED', { message: `The program did not answer its first request: ${stderr}` })
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

/** Runs a process and waits for its end. */
function ended(
  node: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | null; readonly late: boolean; readonly stderr: string }> {
  return new Promise((resolve) => {
    let stderr = ''
    const child = spawn(node, args, { stdio: ['ignore', 'ignore', 'pipe'], timeout: START_LIMIT_MS, env })
    child.stderr.setEncoding('utf8').on('data', (piece: string) => {
      stderr = (stderr + piece).slice(-4_096)
    })
    child.once('error', ({ message }) => resolve({ code: null, late: false, stderr: message }))
    // The only possible signal comes from the time limit.
    child.once('close', (code, signal) =>
      resolve({ code, late: signal === 'SIGTERM', stderr: stderr.trim().split('\n').at(-1) ?? '' }),
    )
  })
}

/** The settings of a start: a secret, and a free port. */
const settings = {
  SVC_SECURITY__JWT_SECRET: 'of no use: the process ends with its first answer',
  SVC_SERVER__PORT: '0',
}

interface Entry {
  readonly key: string
  readonly base64: string
  readonly sha256: string
}

/**
 * The code cache of a program for a Node: a stored one for the same input, or a new one. Returns undefined if the
 * program needs settings that only its user has, or if its starts did not agree.
 */
export async function codeCacheFor(
  profile: string,
  target: TargetPlan,
  program: string,
  node: { readonly file: string; readonly abi: string },
): Promise<Buffer | undefined> {
  const file = join(cacheDir, `${profile}.code.json`)
  const script = toScript(program)
  const makers = ['code-cache.ts', 'warm-child.ts'].map((name) => readFileSync(new URL(name, import.meta.url), 'utf8'))
  const key = sha256(JSON.stringify([script, node, process.version, process.platform, process.arch, ...makers]))
  const entry = isCi() ? undefined : readJson<Entry>(file)
  const before = entry?.key === key ? Buffer.from(entry.base64, 'base64') : undefined
  if (before !== undefined && sha256(before) === entry!.sha256) return before
  const assets = asksForPlace(program) ? assetFiles(target) : {}
  const cache = await makeCodeCache({
    node: node.file,
    script,
    binaries: nativeBinaries(target, host, node.abi),
    assets,
  })
  if (cache !== undefined && !isCi())
    writeJson(file, { key, base64: cache.toString('base64'), sha256: sha256(cache) } satisfies Entry)
  return cache
}

function sha256(content: string | Buffer): string {
  return createHash('sha256').update(content).digest('hex')
}
