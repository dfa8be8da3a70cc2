/**
 * Measures the cost of running as one of several nodes. One node in cluster form is compared with one that runs alone,
 * in interleaved rounds. Rates are per second of the node's CPU time, which other processes on the machine disturb less
 * than wall-clock time. Rates of two nodes, and delays between them, use wall-clock time.
 */
import { compileLoad } from '../realtime/load.ts'
import { measureFairness } from './fairness.ts'
import { compareForms } from './forms.ts'
import { compareGets } from './gets.ts'
import { measureHydration } from './hydration.ts'
import { withEngines } from './servers.ts'
import { measureTwo } from './two.ts'

/** Runs the comparison. Returns false if a bar is missed or nothing can be measured on this machine. */
export function benchCluster(): Promise<boolean> {
  return withEngines(async ({ folder, engines }) => {
    const setting = { load: compileLoad(folder), folder, engines }
    const kept: boolean[] = []
    for (const part of [compareGets, compareForms, measureTwo, measureFairness, measureHydration])
      kept.push(await part(setting))
    return kept.every(Boolean)
  })
}
