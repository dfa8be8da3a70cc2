/** Conformance of profile `server-cluster`. */
import { conformance } from './suite.ts'

// What these two have of their own, `server-full` has too, and its suites run on them.
const elsewhere = 'the other forms have the same features, and server-full the same transports'
await conformance('server-cluster', { source: elsewhere, 'server node': elsewhere, executable: elsewhere })
