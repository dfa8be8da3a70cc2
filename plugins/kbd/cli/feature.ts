/** The row of `kbd.cli` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.cli': true
  }
}

/** Feature `kbd.cli`. */
export const feature: Feature<'kbd.cli'> = {
  at: import.meta.url,
  summary: 'The command svc board',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.api', 'sync.api'],
  platform: 'node',
  commands: () => import('./commands.ts'),
  libraries: ['protocol'],
  packages: ['@noble/hashes'],
  contract,
}
