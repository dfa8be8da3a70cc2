/** The row of `transport.unix` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'transport.unix': true
  }
}

/** Feature `transport.unix`. */
export const feature: Feature<'transport.unix'> = {
  at: import.meta.url,
  summary: 'The local surface on a Unix socket for the same user, and on loopback TCP with a token',
  stability: 'stable',
  since: '0.1.0',
  requires: ['transport.node-http'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  externals: ['koffi'],
  binaries: {
    'koffi.node': {
      files: {
        'linux-x64': 'node_modules/@koromix/koffi-linux-x64/linux_x64/koffi.node',
        'linux-arm64': 'node_modules/@koromix/koffi-linux-arm64/linux_arm64/koffi.node',
        'darwin-x64': 'node_modules/@koromix/koffi-darwin-x64/darwin_x64/koffi.node',
        'darwin-arm64': 'node_modules/@koromix/koffi-darwin-arm64/darwin_arm64/koffi.node',
      },
      otherwise: 'the sync API does not start, because it could not tell who connects',
    },
  },
  uses: ['addon'],
  contract,
}
