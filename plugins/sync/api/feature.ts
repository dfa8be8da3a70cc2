/** The row of `sync.api` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'sync.api': true
  }
}

/** Feature `sync.api`. */
export const feature: Feature<'sync.api'> = {
  at: import.meta.url,
  summary: 'The local sync API, and the commands svc device, svc push, svc socket and svc store',
  stability: 'stable',
  since: '0.1.0',
  requires: ['sync.engine', 'sync.store-sqlite', 'transport.unix', 'realtime.streams'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  commands: () => import('./commands/commands.ts'),
  operations: () => import('./operations.ts'),
  libraries: ['protocol'],
  packages: ['@noble/hashes'],
  contract,
}
