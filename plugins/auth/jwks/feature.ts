/** The row of `auth.jwks` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `auth.jwks`. */
export const feature: Feature = {
  summary: 'Bearer tokens of an identity provider (RS256), verified with the keys that it publishes',
  stability: 'stable',
  since: '0.1.0',
  requires: ['auth.jwt'],
  platform: 'web',
  plugin: 'plugins/auth/jwks/plugin.ts',
  contract,
}
