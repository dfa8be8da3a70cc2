/** The suites of one service that nodes with the same NATS keep too. */
import '../../unit/realtime/live.test.ts'
import '../../unit/realtime/runs.test.ts'
