/**
 * Measures the cost of running as one of several nodes. One node in cluster form is compared with one that runs alone,
 * in interleaved rounds. Rates are per second of the node's CPU time, which other processes on the machine disturb less
 * than wall-clock time.
 */
import { compileLoad } from '../realtime/load.ts'
import { compareForms } from './forms.ts'
import { withEngines } from './servers.ts'

/** Runs the comparison. Returns false if a bar is missed or nothing can be measured on this machine. */
export function benchCluster(): Promise<boolean> {
  return withEngines(({ folder, engines }) => compareForms({ load: compileLoad(folder), folder, engines }))
}
