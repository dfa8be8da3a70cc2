/** Conformance of profile `server-cluster`. */
import { conformance } from './suite.ts'

// What these forms have of their own, `server-full` has too, and its suites run on them.
const elsewhere = 'the other forms have the same features, and server-full the same transports'
await conformance('server-cluster', {
  forms: { source: elsewhere, 'server node': elsewhere, executable: elsewhere },
  quick: {
    elsewhere: 'server-full has the same features',
    least: 10,
    keeps: (_, features) => features.some((id) => id.startsWith('cluster.')),
  },
})
