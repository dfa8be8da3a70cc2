/**
 * Runs the conformance suites of one profile, by name or by the path of a user's profile: `make test
 * PROFILE=path/to/edge.ts`.
 */
import { conformance } from './suite.ts'
import { printCounts } from './table.ts'

const [profile] = process.argv.slice(2)
if (profile === undefined) throw new TypeError('usage: one.ts <profile | path/to/profile.ts>')
// No other suite runs the cases of this profile, so every case runs unless the environment sets otherwise.
process.env['SVC_TEST_DEEP'] ??= '1'
await conformance(profile)
process.once('exit', () => printCounts())
