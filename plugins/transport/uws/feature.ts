/** The row of `transport.uws` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'transport.uws': true
  }
}

/** Feature `transport.uws`. */
export const feature: Feature<'transport.uws'> = {
  at: import.meta.url,
  summary: 'The runtime surface over HTTP/1.1, by uWebSockets.js where it is asked for',
  stability: 'stable',
  since: '0.1.0',
  requires: ['transport.node-http'],
  platform: 'node',
  plugin: () => import('./plugin.ts'),
  externals: ['uWebSockets.js'],
  binaries: {
    'uws.node': {
      files: {
        'linux-x64': 'node_modules/uWebSockets.js/dist/bin/uws_linux_x64_{abi}.node',
        'linux-arm64': 'node_modules/uWebSockets.js/dist/bin/uws_linux_arm64_{abi}.node',
      },
      otherwise: 'node:http serves the runtime surface',
    },
  },
  uses: ['addon'],
  contract,
}
