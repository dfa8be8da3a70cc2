/** Compares appends over HTTP: on `server-full` with runs in SQLite, with runs in memory, and on a build without durable runs. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildProfile } from '../../build/build.ts'
import { distDir } from '../../build/paths.ts'
import { isMet } from '../bars.ts'
import { median } from '../statistics.ts'
import { type Service, startService } from './service.ts'

/** The least ratio of appends in memory, of a program with durable runs to a program without. */
const LEAST_OF_MEMORY_ALONE = 0.95
const ROUNDS = Number(process.env['SVC_BENCH_ROUNDS'] ?? 7)
/** Appends over HTTP in one round. */
const APPENDS = 8_000

const program = join(distDir('server-full'), 'svc.mjs')

/** Runs the comparison. Returns false if a bar is missed. */
export async function benchRuns(): Promise<boolean> {
  if (!existsSync(program)) throw new Error('Build first: make build PROFILE=server-full')
  const { folder: alone } = await buildProfile(join(import.meta.dirname, 'memory-alone.ts'))
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const services: Record<string, Service> = {}
  const rates = new Map<string, number[]>()
  const note = (name: string, perSecond: number): void => void rates.set(name, [...(rates.get(name) ?? []), perSecond])
  try {
    services[ALONE] = await startService(join(alone!, 'svc.mjs'), join(folder, 'alone'), {})
    for (const store of ['memory', 'sqlite'])
      services[`HTTP, in ${store}`] = await startService(program, join(folder, store), {
        SVC_REALTIME__RUN_STORE: store,
      })
    for (const service of Object.values(services)) await service.append(APPENDS / 4)
    for (let round = 0; round < ROUNDS; round++) {
      // Every other round in reverse order, because the speed of the machine drifts.
      const turns = Object.entries(services)
      for (const [name, service] of round % 2 === 0 ? turns : turns.reverse()) note(name, await service.append(APPENDS))
    }
  } finally {
    for (const service of Object.values(services)) await service.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(`appends per second, 64 at once; medians of ${ROUNDS} rounds`)
  for (const [name, values] of rates) console.log(`${name.padEnd(38)} ${median(values).toFixed(0).padStart(7)}/s`)
  const ratio = median(rates.get('HTTP, in memory')!.map((value, round) => value / rates.get(ALONE)![round]!))
  return isMet('in memory / in memory, built without SQLite', ratio, LEAST_OF_MEMORY_ALONE)
}

const ALONE = 'HTTP, in memory, built without SQLite'
