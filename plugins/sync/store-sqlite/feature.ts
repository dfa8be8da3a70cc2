/** The row of `sync.store-sqlite` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `sync.store-sqlite`. */
export const feature: Feature = {
  summary: 'Receipts in a SQLite file, on disk before they are acknowledged',
  stability: 'stable',
  since: '0.1.0',
  requires: ['sync.engine'],
  platform: 'node',
  plugin: 'plugins/sync/store-sqlite/plugin.ts',
  contract,
}
