/** The row of `auth.api-keys` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `auth.api-keys`. */
export const feature: Feature = {
  summary: 'API keys: created, listed and revoked by their owners, kept as Argon2id hashes',
  stability: 'stable',
  since: '0.1.0',
  requires: ['auth.guard'],
  platform: 'web',
  plugin: {
    'in-place': 'plugins/auth/api-keys/plugin-web.ts',
    threads: 'plugins/auth/api-keys/plugin-node.ts',
  },
  packages: ['hash-wasm'],
  contract,
}
