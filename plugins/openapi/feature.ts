/** The row of `openapi` in the feature matrix. */
import type { Feature } from '../../core/feature.ts'
import { contract } from './contract.ts'

/** Feature `openapi`. */
export const feature: Feature = {
  summary: 'The OpenAPI 3.1 contract, served and printed',
  stability: 'stable',
  since: '0.1.0',
  requires: ['transport.unix'],
  platform: 'node',
  plugin: 'plugins/openapi/plugin.ts',
  commands: 'plugins/openapi/commands.ts',
  owns: ['plugins/openapi', 'openapi.json'],
  contract,
}
