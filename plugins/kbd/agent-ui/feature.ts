/** The row of `kbd.agent-ui` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.agent-ui': true
  }
}

/** Feature `kbd.agent-ui`. */
export const feature: Feature<'kbd.agent-ui'> = {
  at: import.meta.url,
  summary: 'Boards as streams of AG-UI events, on the local surface and, to read, on the runtime surface',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.api', 'realtime.streams'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  operations: () => import('./operations.ts'),
  contract,
}
