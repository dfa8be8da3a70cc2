/** The row of `auth.exchange` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `auth.exchange`. */
export const feature: Feature = {
  summary: 'Short-lived bearer tokens in exchange for an API key',
  stability: 'stable',
  since: '0.1.0',
  requires: ['auth.jwt', 'auth.api-keys'],
  platform: 'web',
  plugin: 'plugins/auth/exchange/plugin.ts',
  contract,
}
