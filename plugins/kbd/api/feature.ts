/** The row of `kbd.api` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.api': true
  }
}

/** Feature `kbd.api`. */
export const feature: Feature<'kbd.api'> = {
  at: import.meta.url,
  summary:
    'Boards on the local surface, the audit chain with its checkpoints, and the commands svc board and svc audit',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.engine', 'sync.api'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  // Commands sign and speak to the socket with what the family of pushes has for that.
  commands: '../../sync/boards/commands.ts',
  owns: ['plugins/sync/boards/'],
  packages: ['@noble/hashes'],
  uses: ['global'],
  contract,
}
