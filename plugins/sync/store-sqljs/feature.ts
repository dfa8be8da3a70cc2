/** The engine as a library, on SQLite in WebAssembly. The host keeps its bytes. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/declare/matrix.ts' {
  interface Features {
    'sync.store-sqljs': true
  }
}

/** Feature `sync.store-sqljs`. */
export const feature: FeatureValue<'sync.store-sqljs'> = defineFeature({
  id: 'sync.store-sqljs',
  about: described({
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
  }),
})
