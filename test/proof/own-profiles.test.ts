/**
 * The proof of profiles of a user's own. The first build of a process reads and bundles what the later ones find in memory, so that these
 * suites share one.
 */
import { test as budget } from './cases/budget.ts'
import { test as disguises } from './cases/disguises.ts'
import { test as forms } from './cases/forms.ts'
import { test as leaks } from './cases/leaks.ts'
import { test as ownership } from './cases/ownership.ts'

// All at once: what registers later than the first is run twice.
for (const test of [budget, leaks, ownership, disguises, forms]) test.run()
