/** The row of `auth.guard` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'auth.guard': 'web' | 'node'
  }
}

/** Feature `auth.guard`. */
export const feature: Feature<'auth.guard'> = {
  at: import.meta.url,
  summary: 'Authenticates every request before it is answered; denies by default',
  stability: 'stable',
  since: '0.1.0',
  platform: { web: 'web', node: 'node' },
  plugin: {
    web: () => import('./plugin-web.ts'),
    node: () => import('./plugin-node.ts'),
  },
  packages: { web: [], node: ['jose'] },
  contract,
}
