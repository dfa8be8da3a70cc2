/**
 * What a start costs, from the process to its first 200, against bare Node; and what the bundles weigh. Rounds are
 * interleaved, and the median of each contestant is compared.
 */

import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../../build/paths.ts'
import { median } from '../statistics.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 15)

/** The executable of server-full may take this many times what `node -e 0` takes. */
const LEAST_OF_BARE = 2.5

interface Contestant {
  readonly name: string
  /** Milliseconds of one start. */
  run(): Promise<number>
}

/** Runs the comparison; true where the bar was kept. */
export async function benchStartup(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const contestants: Contestant[] = [
    { name: 'node -e 0', run: () => timeToExit(process.execPath, ['-e', '0']) },
    ...['minimal', 'server-full'].flatMap((profile) => {
      const dist = join(root, 'dist', profile)
      return [
        { name: `${profile} svc.mjs`, run: () => timeToAnswer(process.execPath, [join(dist, 'svc.mjs')], folder) },
        ...(existsSync(join(dist, 'svc'))
          ? [{ name: `${profile} executable`, run: () => timeToAnswer(join(dist, 'svc'), [], folder) }]
          : []),
      ]
    }),
  ]
  const times = new Map<string, number[]>(contestants.map(({ name }) => [name, []]))
  try {
    for (const { run } of contestants) await run()
    for (let round = 0; round < ROUNDS; round++) {
      for (const { name, run } of contestants) times.get(name)!.push(await run())
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  const bare = median(times.get('node -e 0')!)
  console.log('start, process to first 200      median   of node -e 0')
  for (const [name, all] of times) {
    console.log(`${name.padEnd(28)} ${median(all).toFixed(0).padStart(7)} ms   ${(median(all) / bare).toFixed(2)}`)
  }
  const executable = times.get('server-full executable')
  if (executable === undefined) console.log('server-full executable: not built (make binary)')
  const kept = executable !== undefined && median(executable) / bare <= LEAST_OF_BARE
  console.log(`\nbar: server-full executable ≤ ${LEAST_OF_BARE} of node -e 0: ${kept ? 'kept' : 'MISSED'}\n`)
  printSizes()
  return kept
}

function printSizes(): void {
  console.log('bundle                        minified       gzip     limit')
  for (const profile of ['server-full', 'minimal', 'embedded-mobile']) {
    const { bundles } = JSON.parse(readFileSync(join(root, 'dist', profile, 'proof.json'), 'utf8')) as {
      bundles: { file: string; bytes: number; gzipBytes: number; gzipLimit: number | null }[]
    }
    for (const { file, bytes, gzipBytes, gzipLimit } of bundles) {
      const columns = [bytes, gzipBytes, gzipLimit].map((size) => (size === null ? '' : kib(size)).padStart(10))
      console.log(`${`${profile}/${file}`.padEnd(27)} ${columns.join(' ')}`)
    }
  }
}

function timeToExit(command: string, args: readonly string[]): Promise<number> {
  const startedMs = performance.now()
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'ignore' }).once('error', reject)
    child.once('exit', () => resolve(performance.now() - startedMs))
  })
}

async function timeToAnswer(command: string, args: readonly string[], folder: string): Promise<number> {
  const port = await freePort()
  const startedMs = performance.now()
  const child = spawn(command, args, {
    stdio: 'ignore',
    env: {
      HOME: folder,
      SVC_SERVER__PORT: String(port),
      SVC_SECURITY__JWT_SECRET: 'benchmark-secret-of-at-least-32-bytes',
      RUST_LOG: 'error',
    },
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`)
    }
    return performance.now() - startedMs
  } finally {
    child.kill('SIGKILL')
    await ended
  }
}

/** One attempt; a refused connection is back in well under a millisecond, so that waiting costs next to nothing. */
function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const request = get({ host: '127.0.0.1', port, path: '/health', agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode === 200))
    })
    request.once('error', () => setTimeout(resolve, 1, false))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

function kib(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB`
}
