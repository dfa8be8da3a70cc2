/** The proof of the profiles of this project, and of other sets of their features. The suites share what was bundled, in one process. */

import { test as cache } from './cases/cache.ts'
import { test as combos } from './cases/combos.ts'
import { test as controls } from './cases/controls.ts'
import { test as copies } from './cases/copies.ts'
import { test as emptied } from './cases/emptied.ts'

// All at once: what registers later than the first is run twice.
for (const test of [emptied, controls, copies, cache, combos]) test.run()
