/**
 * What being one of several nodes costs. One node in cluster form runs against itself without; rounds are interleaved, and
 * rates are those of the node's own processor time, which other work on the machine disturbs less than the clock. What two
 * nodes do, and how long events take between them, is by the clock.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { missingEngines } from '../../cluster/cluster.ts'
import { compileLoad } from '../realtime/load.ts'
import { compareForms } from './forms.ts'
import { compareGets } from './gets.ts'
import { measureHydration } from './hydration.ts'
import { startEngines } from './servers.ts'
import { measureTwo } from './two.ts'

/** Runs the comparison; false where a bar is missed, or nothing can be measured here. */
export async function benchCluster(): Promise<boolean> {
  const missing = missingEngines()
  if (missing.length > 0) {
    console.log(`Nothing was measured: ${missing.join(', ')}.`)
    return false
  }
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
  const engines = await startEngines()
  try {
    const load = compileLoad(folder)
    const setting = { load, folder, engines }
    const kept: boolean[] = []
    for (const part of [compareGets, compareForms, measureTwo, measureHydration]) kept.push(await part(setting))
    return kept.every(Boolean)
  } finally {
    await engines.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
