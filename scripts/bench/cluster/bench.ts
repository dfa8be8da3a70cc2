/**
 * What being one of several nodes costs. One node in cluster form runs against itself without; rounds are interleaved, and
 * rates are those of the node's own processor time, which other work on the machine disturbs less than the clock. What two
 * nodes do, and how long events take between them, is by the clock.
 */
import { compileLoad } from '../realtime/load.ts'
import { measureFairness } from './fairness.ts'
import { compareForms } from './forms.ts'
import { compareGets } from './gets.ts'
import { measureHydration } from './hydration.ts'
import { withEngines } from './servers.ts'
import { measureTwo } from './two.ts'

/** Runs the comparison; false where a bar is missed, or nothing can be measured here. */
export function benchCluster(): Promise<boolean> {
  return withEngines(async ({ folder, engines }) => {
    const setting = { load: compileLoad(folder), folder, engines }
    const kept: boolean[] = []
    for (const part of [compareGets, compareForms, measureTwo, measureFairness, measureHydration])
      kept.push(await part(setting))
    return kept.every(Boolean)
  })
}
