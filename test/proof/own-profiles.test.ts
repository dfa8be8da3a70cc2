/**
 * The proof of user-defined profiles. The suites run in one process, because later builds reuse what the first build
 * has read and bundled.
 */
import { test as budget } from './cases/budget.ts'
import { test as declared } from './cases/declared-forms.ts'
import { test as identity } from './cases/identity.ts'
import { test as leaks } from './cases/leaks.ts'
import { test as mistakes } from './cases/mistakes.ts'
import { test as ownership } from './cases/ownership.ts'
import { test as place } from './cases/place.ts'
import { test as start } from './cases/start.ts'
import { test as warnings } from './cases/warnings.ts'

// All suites register in one loop, because a suite that registers later is run twice.
for (const test of [budget, identity, leaks, ownership, declared, warnings, start, place, mistakes]) test.run()
