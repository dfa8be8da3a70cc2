/** The test suites of one service that several nodes with one PostgreSQL must pass too. */
import '../../unit/auth/keys.test.ts'
import '../../unit/auth/acting.test.ts'
import '../../unit/auth/delegation-invariants.test.ts'
import '../../unit/auth/revocations.test.ts'
import '../../unit/auth/users-admin.test.ts'
import '../auth/revoked-streams.test.ts'
import '../../unit/auth/hostile-callers.test.ts'
