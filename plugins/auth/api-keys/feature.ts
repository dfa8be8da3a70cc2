/** The row of `auth.api-keys` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'auth.api-keys': 'in-place' | 'threads'
  }
}

/** Feature `auth.api-keys`. */
export const feature: Feature<'auth.api-keys'> = {
  at: import.meta.url,
  summary: 'API keys: created, listed and revoked by their owners, kept as Argon2id hashes',
  stability: 'stable',
  since: '0.1.0',
  requires: ['auth.guard'],
  platform: { 'in-place': 'web', threads: 'node' },
  plugin: {
    'in-place': () => import('./plugin-web.ts'),
    threads: () => import('./plugin-node.ts'),
  },
  packages: ['hash-wasm', '@noble/hashes'],
  uses: { 'in-place': ['wasm'], threads: ['wasm', 'worker'] },
  operations: () => import('./operations.ts'),
  contract,
}
