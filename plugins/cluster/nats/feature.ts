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
  summary: 'Entity streams of several nodes joined by NATS: published on one, heard on all',
  stability: 'experimental',
  since: '0.1.0',
  requires: ['realtime.live', 'probes'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  packages: ['@nats-io/transport-node', '@nats-io/nats-core', '@nats-io/nkeys', '@nats-io/nuid', 'tweetnacl'],
  contract,
}
