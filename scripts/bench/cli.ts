/** `make bench [ONLY=auth]`: every comparison with its bars; fails where a bar is missed. All of them write docs/benchmarks.md. */
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { root } from '../build/paths.ts'
import { benchAuth } from './auth/bench.ts'
import { benchCluster } from './cluster/bench.ts'
import { benchDev } from './dev/bench.ts'
import { benchHttp } from './http/bench.ts'
import { benchKbd } from './kbd/bench.ts'
import { benchPeer } from './peer/bench.ts'
import { benchRealtime } from './realtime/bench.ts'
import { benchStartup } from './startup/bench.ts'
import { benchSync } from './sync/bench.ts'
import { benchTelemetry } from './telemetry/bench.ts'

const benches: Readonly<Record<string, () => Promise<boolean>>> = {
  http: benchHttp,
  startup: benchStartup,
  auth: benchAuth,
  telemetry: benchTelemetry,
  realtime: benchRealtime,
  sync: benchSync,
  kbd: benchKbd,
  peer: benchPeer,
  cluster: benchCluster,
  dev: benchDev,
}

const [only = ''] = process.argv.slice(2)
const chosen = benches[only]
if (chosen !== undefined) {
  if (!(await chosen())) process.exitCode = 1
} else if (only === '') {
  all()
} else {
  console.error(`usage: bench [${Object.keys(benches).join(' | ')}]`)
  process.exitCode = 64
}

/** Runs each in a process of its own, so that none measures what another left behind, and keeps what they print. */
function all(): void {
  const parts: string[] = []
  for (const name of Object.keys(benches)) {
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
  const machine = `${cpus().length} cores (${cpus()[0]?.model.trim()}), Node ${process.versions.node}`
  const head = `# Benchmarks\n\nWritten by \`make bench\`, on ${machine}. Absolute figures depend on the machine; the ratios are of contestants that ran in\nturn, in one run.\n`
  writeFileSync(join(root, 'docs/benchmarks.md'), [head, ...parts].join('\n'))
}
