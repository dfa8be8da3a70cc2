/** Conformance of profile `server-cluster`. */
import { conformance } from './suite.ts'

// The other forms have the features of those that are left out, and server-full has their transports and their
// packaging.
await conformance('server-cluster', {
  forms: ['source', 'server node', 'executable'],
  quick: {
    elsewhere: 'server-full has the same features',
    least: 10,
    keeps: (_, features) => features.some((id) => id.startsWith('cluster.')),
  },
})
