/** The row of `auth.guard` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `auth.guard`. */
export const feature: Feature = {
  summary: 'Authenticates every request before it is routed; denies by default',
  stability: 'stable',
  since: '0.1.0',
  platform: 'web',
  plugin: {
    web: 'plugins/auth/guard/plugin-web.ts',
    node: 'plugins/auth/guard/plugin-node.ts',
  },
  packages: { web: [], node: ['jose'] },
  contract,
}
