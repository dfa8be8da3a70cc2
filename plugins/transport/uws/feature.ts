/** The row of `transport.uws` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `transport.uws`. */
export const feature: Feature = {
  summary: 'The runtime surface over HTTP/1.1, by uWebSockets.js where its addon loads',
  stability: 'stable',
  since: '0.1.0',
  requires: ['transport.node-http'],
  platform: 'node',
  plugin: 'plugins/transport/uws/plugin.ts',
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
  contract,
}
