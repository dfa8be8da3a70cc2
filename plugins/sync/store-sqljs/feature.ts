/** The row of `sync.store-sqljs` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'sync.store-sqljs': true
  }
}

/** Feature `sync.store-sqljs`. */
export const feature: Feature<'sync.store-sqljs'> = {
  at: import.meta.url,
  summary: 'The engine as a library, its receipts in bytes that the host keeps',
  stability: 'stable',
  since: '0.1.0',
  requires: ['sync.engine'],
  platform: 'bare',
  exports: { createEmbedded: () => import('./create-embedded.ts') },
  packages: ['sql.js', '@noble/hashes'],
  uses: ['wasm'],
  assets: { 'sql-wasm.wasm': 'node_modules/sql.js/dist/sql-wasm-browser.wasm' },
  contract,
}
