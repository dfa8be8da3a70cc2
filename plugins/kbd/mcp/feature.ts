/** The server of the Model Context Protocol, through which agents work on boards: svc mcp. */
import { described } from '../../../core/declare/described.ts'
import { defineFeature, type FeatureValue } from '../../../core/declare/feature.ts'
import { defineContract } from '../../../core/testing/contract.ts'

declare module '../../../core/declare/matrix.ts' {
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
    since: '0.1.0',
    requires: ['kbd.api', 'kbd.cli', 'transport.client'],
    platform: 'node',
    commands: () => import('./commands.ts'),
    packages: ['@modelcontextprotocol/sdk', 'zod', 'zod-to-json-schema'],
    // zod tests whether it may compile its schemas to functions, and works without functions if it may not.
    uses: ['eval-where-allowed'],
    contract: defineContract({
      present: [
        {
          name: 'svc mcp says what it takes',
          command: ['mcp', '--help'],
          exits: { code: 0, stdout: /^Usage: svc mcp --key/, stderr: '' },
        },
        {
          name: 'without a key it is wrong usage',
          command: ['mcp'],
          exits: { code: 64, stdout: '', stderr: /--key is missing/ },
        },
        {
          name: 'a token is no argument',
          command: ['mcp', '--key', 'device.key', '--token', 'secret'],
          exits: { code: 64, stdout: '', stderr: /--token/ },
        },
        {
          name: 'with nobody at its input it ends, and has said nothing',
          dialogue: async ({ run }) => {
            await run(['device', 'keygen', '--out', 'device.key'])
            const { code, stdout, stderr } = await run(['mcp', '--key', 'device.key'])
            if (code !== 0 || stdout !== '' || stderr !== '') throw new Error(`exit code ${code}: ${stdout} ${stderr}`)
          },
        },
      ],
      absent: [
        {
          name: 'there is no command mcp',
          needs: ['cli'],
          command: ['mcp', '--help'],
          exits: { code: 64, stdout: '', stderr: /There is no command "mcp"/ },
        },
      ],
    }),
  }),
})
