/** The suites of one service that nodes with the same PostgreSQL keep too. */
import '../../unit/auth/keys.test.ts'
import '../auth/revoked-streams.test.ts'
import '../../unit/auth/hostile-callers.test.ts'
