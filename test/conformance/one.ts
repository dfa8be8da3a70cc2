/** Conformance of one profile, ours by name or a user's by path: `make test PROFILE=path/to/edge.ts`. */
import { conformance } from './suite.ts'
import { printCounts } from './table.ts'

const [profile] = process.argv.slice(2)
if (profile === undefined) throw new TypeError('usage: one.ts <profile | path/to/profile.ts>')
// Nobody else runs the rest of it, unless the caller says so.
process.env['SVC_TEST_DEEP'] ??= '1'
await conformance(profile)
process.once('exit', () => printCounts())
