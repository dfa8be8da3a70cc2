/** `make bench [ONLY=auth]`: every comparison with its bars; fails where a bar is missed. */
import { benchAuth } from './auth/bench.ts'
import { benchSync } from './sync/bench.ts'
import { benchTelemetry } from './telemetry/bench.ts'

const benches: Readonly<Record<string, () => Promise<boolean>>> = {
  auth: benchAuth,
  sync: benchSync,
  telemetry: benchTelemetry,
}

const [only = ''] = process.argv.slice(2)
const chosen = Object.entries(benches).filter(([name]) => only === '' || name === only)
if (chosen.length === 0) {
  console.error(`usage: bench [${Object.keys(benches).join(' | ')}]`)
  process.exit(64)
}
for (const [name, bench] of chosen) {
  console.log(`${name}\n`)
  if (!(await bench())) process.exitCode = 1
}
