/** The row of `peer.registry` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'peer.registry': true
  }
}

/** Feature `peer.registry`. */
export const feature: Feature<'peer.registry'> = {
  at: import.meta.url,
  summary:
    'The peer registry: the entries of the owner, the pushes of peers and the acknowledgement of each; the command svc peer',
  stability: 'experimental',
  since: '0.3.0',
  requires: ['sync.api', 'kbd.engine'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  storePart: () => import('./store-part.ts'),
  commands: () => import('./commands/commands.ts'),
  libraries: ['protocol'],
  contract,
}
