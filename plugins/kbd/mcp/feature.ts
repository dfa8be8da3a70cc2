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
  requires: ['kbd.api', 'kbd.cli', 'transport.client'],
  platform: 'node',
  commands: () => import('./commands.ts'),
  packages: ['@modelcontextprotocol/sdk', 'zod', 'zod-to-json-schema'],
  // zod asks whether it may make functions of its schemas, and does without where it may not.
  uses: ['constructor', 'eval-where-allowed'],
  contract,
}
