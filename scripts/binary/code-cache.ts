/**
 * What V8 has compiled of a program by its first answer. An executable that brings it neither scans nor compiles again what
 * every start runs; one that brings only what ran at loading, as Node makes it by itself, still compiles half of that.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { buildFail } from '../build/errors.ts'
import { loaderArgs } from '../build/paths.ts'

/** Longest time in milliseconds for one start up to its first answer. */
const START_LIMIT_MS = 60_000

/** How many starts may be made until two of them have compiled the same. */
const MOST_STARTS = 6

/** What is run to make a code cache. */
export interface WarmRun {
  /** The Node that will read it: V8 takes no other's. */
  readonly node: string
  /** Folder with the script and the assets. */
  readonly folder: string
  readonly script: string
  readonly assets: readonly string[]
}

/**
 * Makes the code cache of a script: starts it, asks it for `/health` and takes what was compiled then. A start on a busy
 * machine may come less far in its time, so what counts is what two starts agree on.
 * @throws SvcError `ERR_BUILD_FAILED` where the program does not answer, or no two starts agree
 */
export function makeCodeCache(run: WarmRun): Buffer {
  const made: Buffer[] = []
  while (made.length < MOST_STARTS) {
    const cache = startOnce(run)
    if (made.some((other) => other.equals(cache))) return cache
    made.push(cache)
  }
  throw buildFail('ERR_BUILD_FAILED', {
    message: `${MOST_STARTS} starts of the program compiled something else each.`,
    hint: 'Build on a machine that is less busy.',
  })
}

function startOnce({ node, folder, script, assets }: WarmRun): Buffer {
  const home = mkdtempSync(join(tmpdir(), 'svc-warm-'))
  try {
    const cache = join(home, 'code-cache')
    const child = fileURLToPath(new URL('./warm-child.ts', import.meta.url))
    // V8 salts its hashes with the seed, and they are in the cache.
    const flags = ['--random-seed=1', '--disable-warning=ExperimentalWarning', ...loaderArgs]
    const args = [...flags, child, script, cache, ...assets]
    const { status, stderr, error } = spawnSync(node, args, {
      cwd: folder,
      encoding: 'utf8',
      stdio: ['ignore', 'ignore', 'pipe'],
      timeout: START_LIMIT_MS,
      env: { ...settings, HOME: home, TMPDIR: home },
    })
    if (status === 0) return readFileSync(cache)
    const reason = error?.message ?? stderr.trim().split('\n').at(-1) ?? ''
    throw buildFail('ERR_BUILD_FAILED', { message: `The program did not answer its first request: ${reason}` })
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

/** What a start needs: a secret, and a port that is free. */
const settings = {
  SVC_SECURITY__JWT_SECRET: 'of no use: the process ends with its first answer',
  SVC_SERVER__PORT: '0',
}
