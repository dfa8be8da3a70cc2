/** The server of the Model Context Protocol, through which agents work on boards: svc mcp. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { contract } from './contract.ts'

declare module '../../../core/feature.ts' {
  interface Features {
    'kbd.mcp': true
  }
}

/** Feature `kbd.mcp`. */
export const feature: FeatureValue<'kbd.mcp'> = defineFeature({
  id: 'kbd.mcp',
  about: described({
    at: import.meta.url,
    summary: 'Boards as tools of agents: the MCP server svc mcp',
    stability: 'experimental',
    since: '0.2.0',
    requires: ['kbd.api', 'kbd.cli', 'transport.client'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    packages: ['@modelcontextprotocol/sdk', 'zod', 'zod-to-json-schema'],
    // zod tests whether it may compile its schemas to functions, and works without functions if it may not.
    uses: ['eval-where-allowed'],
    contract,
  }),
})
