/** The row of `cluster.nats` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'cluster.nats': true
  }
}

/** Feature `cluster.nats`. */
export const feature: Feature<'cluster.nats'> = {
  at: import.meta.url,
  summary: 'Runs and entity streams of several nodes on NATS: written and published on one, there on all',
  stability: 'experimental',
  since: '0.1.0',
  requires: ['realtime.live', 'realtime.runs', 'probes'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  packages: ['@nats-io/transport-node', '@nats-io/nats-core', '@nats-io/nkeys', '@nats-io/nuid', 'tweetnacl'],
  contract,
}
