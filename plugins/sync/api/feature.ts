/** The row of `sync.api` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `sync.api`. */
export const feature: Feature = {
  summary: 'The local sync API, and the commands svc device and svc push',
  stability: 'stable',
  since: '0.1.0',
  requires: ['sync.engine', 'sync.store-sqlite', 'transport.unix', 'realtime.streams'],
  platform: 'node',
  plugin: 'plugins/sync/api/plugin.ts',
  commands: 'plugins/sync/api/commands/commands.ts',
  owns: ['plugins/sync/api'],
  contract,
}
