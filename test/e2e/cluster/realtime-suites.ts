/** The test suites of one service that several nodes with one NATS must pass too. */
import '../../unit/realtime/live.test.ts'
import '../../unit/realtime/runs.test.ts'
import '../../unit/realtime/threads.test.ts'
import '../../unit/realtime/run-limits.test.ts'
import '../../unit/realtime/prelude-cache.test.ts'
import '../../unit/client/client.test.ts'
