/** The row of `sync.peers` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'sync.peers': true
  }
}

/** Feature `sync.peers`: in this family, because it keeps what it knows in the store of pushes. */
export const feature: Feature<'sync.peers'> = {
  at: import.meta.url,
  summary: 'What a node keeps of its peers: the entries of its owner, their pushes and its word on each; svc peer',
  stability: 'experimental',
  since: '0.3.0',
  requires: ['sync.api', 'kbd.engine'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  commands: () => import('./commands/commands.ts'),
  contract,
}
