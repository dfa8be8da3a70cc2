/** The MCP server of boards, on standard input and output. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { type CommandIo, CommandRefusal } from '../../../core/declare/command.ts'
import type {} from '../../transport/client/api.ts'
import type { Claim } from '../api.ts'
import type {} from '../cli/api.ts'
import { BoardServer } from './board-server.ts'
import { createCalls } from './calls.ts'
import { LineTransport } from './line-transport.ts'
import { createRunReports, type RuntimeAccess } from './run-reports.ts'
import { tools } from './tools.ts'

/** The options of the command line. */
export interface McpOptions {
  readonly keyFile: string
  readonly project: string | undefined
  readonly agent: string | undefined
  readonly socket: string | undefined
  readonly runtime: string | undefined
  readonly tokenFile: string | undefined
}

/** The rules for agents that share a board. Each agent gets them when it connects. */
const INSTRUCTIONS = `A board that several people and agents change. Claim a card before you work on it, and renew the claim while you do: a
claim is a lease, and when it ends another may take the card. Release it, or move the card, when you are done. If a claim
is lost, stop at once. Do not settle conflicts unless you were asked to.`

/** Serves until the input ends. Returns the exit code. Throws if the key cannot be read. */
export async function serveMcp(options: McpOptions, io: CommandIo): Promise<number> {
  const { keyFile, project, socket, agent = null } = options
  let held: Claim[] = []
  const onHeld = (claim: Claim): void => void held.push(claim)
  const takeHeld = (): readonly Claim[] => {
    const taken = held
    held = []
    return taken
  }
  const board = io.use('BoardActions')({ keyFile, project, socket, onHeld })
  board.keyId()
  const runs = createRunReports(accessOf(options, io))
  const failed = (error: unknown): void => io.err(`svc mcp: ${error instanceof Error ? error.stack : String(error)}`)

  const call = createCalls({ board, runs, agent, now: Date.now, takeHeld }, failed)

  const inFlight = new Set<Promise<unknown>>()
  const server = new BoardServer({ name: 'svc', title: 'Boards', version: io.manifest.version }, INSTRUCTIONS)
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ name, title, description, inputSchema, outputSchema, reads }) => ({
      name,
      title,
      description,
      inputSchema,
      outputSchema,
      annotations: { readOnlyHint: reads, openWorldHint: false },
    })),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const answer = call(params.name, params.arguments, signal)
    if (answer === undefined) throw new McpError(ErrorCode.InvalidParams, `There is no tool "${params.name}".`)
    inFlight.add(answer)
    return answer.finally(() => inFlight.delete(answer))
  })
  server.onerror = failed

  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
  })
  await server.connect(new LineTransport(process.stdin, process.stdout))
  await ended
  // A call that has begun may have changed a board, so its answer is sent first. Sending takes one more turn of the
  // loop.
  await Promise.all(inFlight)
  await nextTurn()
  await server.close()
  return 0
}

/**
 * The client and the credential for reports. Throws a `UsageError` for an origin to which no credential may be sent.
 */
function accessOf({ runtime, tokenFile }: McpOptions, io: CommandIo): RuntimeAccess {
  const clients = io.use('RuntimeClients')
  return {
    client: runtime === undefined ? clients.own() : clients.at(runtime, '--runtime'),
    credential() {
      const token = tokenFile === undefined ? io.environment['SVC_TOKEN']?.trim() : clients.readToken(tokenFile)
      if (token === undefined || token === '')
        throw new CommandRefusal('token_missing', 'There is no token or API key to report runs with.')
      return clients.credential(token)
    },
  }
}
