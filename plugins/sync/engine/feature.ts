/** The row of `sync.engine` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `sync.engine`. */
export const feature: Feature = {
  summary: 'Signed pushes: strict admission, one signature rule, receipts and their states',
  stability: 'stable',
  since: '0.1.0',
  platform: 'bare',
  owns: ['plugins/sync/engine'],
  code: 'plugins/sync/engine/engine.ts',
  packages: ['canonicalize', '@noble/ed25519'],
  contract,
}
