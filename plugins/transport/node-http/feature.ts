/** The row of `transport.node-http` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `transport.node-http`. */
export const feature: Feature = {
  summary: 'The runtime surface over HTTP/1.1, by node:http',
  stability: 'stable',
  since: '0.1.0',
  platform: 'node',
  plugin: 'plugins/transport/node-http/plugin.ts',
  contract,
}
