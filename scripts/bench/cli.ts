/**
 * `make bench [ONLY=auth]`: runs every comparison, and fails if a bar is missed. A run of all comparisons writes
 * docs/benchmarks.md.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../build/paths.ts'

/**
 * Each comparison is in its module `<name>/bench.ts`. An installed copy of the toolkit contains only those that need no
 * other framework.
 */
const benches: Readonly<Record<string, () => Promise<boolean>>> = {
  http: async () => (await import('./http/bench.ts')).benchHttp(),
  startup: async () => (await import('./startup/bench.ts')).benchStartup(),
  auth: async () => (await import('./auth/bench.ts')).benchAuth(),
  telemetry: async () => (await import('./telemetry/bench.ts')).benchTelemetry(),
  realtime: async () => (await import('./realtime/bench.ts')).benchRealtime(),
  runs: async () => (await import('./runs/bench.ts')).benchRuns(),
  sync: async () => (await import('./sync/bench.ts')).benchSync(),
  kbd: async () => (await import('./kbd/bench.ts')).benchKbd(),
  peer: async () => (await import('./peer/bench.ts')).benchPeer(),
  cluster: async () => (await import('./cluster/bench.ts')).benchCluster(),
  scale: async () => (await import('./scale/bench.ts')).benchScale(),
  console: async () => (await import('./console/bench.ts')).benchConsole(),
  dev: async () => (await import('./dev/bench.ts')).benchDev(),
}
const available = Object.keys(benches).filter((name) => existsSync(join(root, `scripts/bench/${name}/bench.ts`)))

const [only = ''] = process.argv.slice(2)
if (available.includes(only)) {
  if (!(await benches[only]!())) process.exitCode = 1
} else if (only === '') {
  runAll()
} else {
  console.error(`usage: bench [${available.join(' | ')}]`)
  process.exitCode = 64
}

/** Runs each comparison in a separate process, so that none measures leftovers of another, and collects the output. */
function runAll(): void {
  const parts: string[] = []
  for (const name of available) {
    console.log(`${name}\n`)
    const { stdout, status } = spawnSync(process.execPath, [...process.execArgv, import.meta.filename, name], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
      maxBuffer: 2 ** 26,
    })
    console.log(stdout)
    if (status !== 0) process.exitCode = 1
    parts.push(
      `## ${name}\n\n\`make bench ONLY=${name}\`${status === 0 ? '' : ', a bar missed'}\n\n\`\`\`text\n${stdout.trim()}\n\`\`\`\n`,
    )
  }
  // The page is written only if all comparisons ran.
  if (available.length < Object.keys(benches).length) return
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const head = `# Benchmarks\n\nWritten by \`make bench\`, on ${machine}. Absolute figures depend on the machine; the ratios are of contestants that ran in\nturn, in one run.\n`
  writeFileSync(join(root, 'docs/benchmarks.md'), [head, ...parts].join('\n'))
}
