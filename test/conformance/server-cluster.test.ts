/** Conformance of profile `server-cluster`. */
import { conformance } from './suite.ts'

// The suites of `server-full` test the transports and the packaging of these forms.
const elsewhere = 'the other forms have the same features, and server-full has the same transports'
await conformance('server-cluster', {
  forms: { source: elsewhere, 'server node': elsewhere, executable: elsewhere },
  quick: {
    elsewhere: 'server-full has the same features',
    least: 10,
    keeps: (_, features) => features.some((id) => id.startsWith('cluster.')),
  },
})
