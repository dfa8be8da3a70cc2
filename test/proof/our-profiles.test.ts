/**
 * The proof of the profiles of this project, and of other combinations of their features. The suites run in one
 * process, so that they share bundles.
 */

import { test as combos } from './cases/combos.ts'
import { test as controls } from './cases/controls.ts'
import { test as declaredUses } from './cases/declared-uses.ts'
import { test as emptied } from './cases/emptied.ts'
import { test as forms } from './cases/forms.ts'
import { test as record } from './cases/record.ts'

// All suites register in one loop, because a suite that registers later is run twice.
for (const test of [emptied, controls, forms, declaredUses, record, combos]) test.run()
