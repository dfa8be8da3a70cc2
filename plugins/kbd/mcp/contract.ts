/** The contract of the MCP server, without a running service. */
import { type Contract, defineContract } from '../../../core/contract.ts'

/** The contract of feature `kbd.mcp`. */
export const contract: Contract = defineContract({
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
})
