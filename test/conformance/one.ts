/**
 * Runs the conformance suites of one profile, by name or by the path of a user's profile: `make test
 * PROFILE=path/to/edge.ts`.
 */
import { availableParallelism } from 'node:os'
import { matrixFeatures } from '../../scripts/build/plan/locate-feature.ts'
import { conformance } from './suite.ts'
import { printCounts } from './table.ts'

const [profile] = process.argv.slice(2)
if (profile === undefined) throw new TypeError('usage: one.ts <profile | path/to/profile.ts>')
// No other suite runs the cases of this profile, so every case runs unless the environment sets otherwise. The tests of
// this project then run the cases of the profile's own features, and those whose settings most cases share.
process.env['SVC_TEST_DEEP'] ??= '1'
await conformance(profile, {
  // A service waits most of the time, for its start and for the pauses of a case.
  lanes: availableParallelism() + 2,
  quick: {
    elsewhere: 'a standard profile has the same features',
    least: 50,
    keeps: (_, features) => features.some((id) => !Object.hasOwn(matrixFeatures, id)),
  },
})
process.once('exit', () => printCounts())
