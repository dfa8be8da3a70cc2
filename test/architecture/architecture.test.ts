/** The rules of the sources. The suites run in one process, so that each file is parsed once for all of them. */
import { test as circles } from './cases/circles.ts'
import { test as codes } from './cases/codes.ts'
import { test as coreNames } from './cases/core-names.ts'
import { test as defines } from './cases/defines.ts'
import { test as layering } from './cases/layering.ts'
import { test as longFunctions } from './cases/long-functions.ts'
import { test as longLines } from './cases/long-lines.ts'
import { test as nonNull } from './cases/non-null.ts'
import { test as nouns } from './cases/nouns.ts'
import { test as privateMembers } from './cases/private-members.ts'
import { test as sleeps } from './cases/sleeps.ts'
import { test as sql } from './cases/sql.ts'
import { test as twice } from './cases/twice.ts'

// All suites register in one loop, because a suite that registers later is run twice.
for (const test of [
  circles,
  codes,
  coreNames,
  defines,
  layering,
  longFunctions,
  longLines,
  nonNull,
  nouns,
  privateMembers,
  sleeps,
  sql,
  twice,
])
  test.run()
