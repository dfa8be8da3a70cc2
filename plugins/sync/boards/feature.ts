/** The row of `sync.boards` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'sync.boards': true
  }
}

/** Feature `sync.boards`: in this family, because it signs and speaks to the socket with what pushes have for that. */
export const feature: Feature<'sync.boards'> = {
  at: import.meta.url,
  summary: 'The command svc board',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.api', 'sync.api'],
  platform: 'node',
  commands: () => import('./commands.ts'),
  packages: ['@noble/hashes'],
  uses: ['global'],
  contract,
}
