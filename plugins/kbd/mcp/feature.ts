/** The row of `kbd.mcp` in the feature matrix. */
import type { Feature } from '../../../core/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.mcp': true
  }
}

/** Feature `kbd.mcp`. */
export const feature: Feature<'kbd.mcp'> = {
  at: import.meta.url,
  summary: 'Boards as tools of agents: the MCP server svc mcp',
  stability: 'experimental',
  since: '0.2.0',
  requires: ['kbd.api', 'sync.boards'],
  platform: 'node',
  commands: () => import('./commands.ts'),
  packages: [
    '@modelcontextprotocol/sdk',
    'ajv',
    'ajv-formats',
    'fast-deep-equal',
    'fast-uri',
    'json-schema-traverse',
    'zod',
    'zod-to-json-schema',
  ],
  // Both validators of the SDK make functions of schemas.
  uses: ['constructor', 'eval', 'process'],
  contract,
}
