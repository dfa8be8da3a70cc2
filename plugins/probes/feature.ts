/** The row of `probes` in the feature matrix. */
import type { Feature } from '../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../core/feature.ts' {
  interface Features {
    probes: true
  }
}

/** Feature `probes`. */
export const feature: Feature<'probes'> = {
  at: import.meta.url,
  summary: 'Liveness and readiness probes',
  stability: 'stable',
  since: '0.1.0',
  platform: 'web',
  plugin: () => import('./plugin.ts'),
  open: ['/health', '/healthz', '/readyz'],
  operations: () => import('./operations.ts'),
  contract,
}
