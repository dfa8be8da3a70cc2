/** `svc mcp`: boards as tools of an agent. The server is loaded only when the command runs. */
import { parseArgs } from 'node:util'
import { type Command, UsageError } from '../../../core/declare/command.ts'

const HELP = `Usage: svc mcp --key <file> [--project <p>] [--agent <name>] [--socket <path>] [--runtime <origin>] [--token-file <file>]

Serves the boards of a running service to an agent: an MCP server on standard input and output, until the input ends.
Its changes are signed with the key of an enrolled device, within the verbs of that device's scope.

--agent       the agent name of claims, if the caller of a tool gives none
--runtime     where runs are reported; by default http:// and server.host, server.port
--token-file  the bearer token or API key that runs are reported with, in a file of mode 0600; else SVC_TOKEN of the
              environment. Never in an argument, which other processes can read.`

const OPTIONS = {
  key: { type: 'string' },
  project: { type: 'string' },
  agent: { type: 'string' },
  socket: { type: 'string' },
  runtime: { type: 'string' },
  'token-file': { type: 'string' },
} as const

const mcpCommand: Command = {
  name: 'mcp',
  summary: 'boards as tools of an agent: an MCP server on standard input and output',
  help: HELP,
  async run(args, io) {
    const { values } = parseArgs({ args: [...args], options: OPTIONS })
    const { key, project, agent, socket, runtime, 'token-file': tokenFile } = values
    if (key === undefined) throw new UsageError('--key is missing')
    const { serveMcp } = await import('./serve.ts')
    return serveMcp({ keyFile: key, project, agent, socket, runtime, tokenFile }, io)
  },
}

/** `svc mcp`. */
export const commands: readonly Command[] = [mcpCommand]
