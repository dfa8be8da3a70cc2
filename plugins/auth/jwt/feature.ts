/** The row of `auth.jwt` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'auth.jwt': true
  }
}

/** Feature `auth.jwt`. */
export const feature: Feature<'auth.jwt'> = {
  at: import.meta.url,
  summary: 'Bearer tokens signed with a shared secret (HS256), and the command that makes them',
  stability: 'stable',
  since: '0.1.0',
  requires: ['auth.guard'],
  platform: 'web',
  plugin: () => import('./plugin.ts'),
  commands: () => import('./commands.ts'),
  contract,
}
