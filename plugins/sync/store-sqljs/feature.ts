/** The row of `sync.store-sqljs` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `sync.store-sqljs`. */
export const feature: Feature = {
  summary: 'The engine as a library, its receipts in bytes that the host keeps',
  stability: 'stable',
  since: '0.1.0',
  requires: ['sync.engine'],
  platform: 'bare',
  exports: { createEmbedded: 'plugins/sync/store-sqljs/create-embedded.ts' },
  owns: ['plugins/sync/store-sqljs'],
  packages: ['sql.js', 'hash-wasm', '@noble/hashes'],
  assets: { 'sql-wasm.wasm': 'node_modules/sql.js/dist/sql-wasm-browser.wasm' },
  contract,
}
