import { Protocol } from '@modelcontextprotocol/sdk/shared/protocol.js'
import {
  type Implementation,
  InitializeRequestSchema,
  type InitializeResult,
  LATEST_PROTOCOL_VERSION,
  type Result,
  type ServerCapabilities,
  type ServerNotification,
  type ServerRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/sdk/types.js'

/**
 * This version requires that a server takes batches of messages, which no other version has. A client that asks for it
 * is offered the version before.
 */
const [WITH_BATCHES, BEFORE_BATCHES] = ['2025-03-26', '2024-11-05']

const CAPABILITIES: ServerCapabilities = { tools: {} }

/**
 * The server side of the protocol, for tools only (MCP, "Lifecycle" and "Tools"). The class `Server` of the SDK
 * includes a validator that compiles schemas to code, which the executable forbids.
 */
export class BoardServer extends Protocol<ServerRequest, ServerNotification, Result> {
  /** Makes a server. Each client gets `about` as the description of the server, and `instructions`. */
  constructor(about: Implementation, instructions: string) {
    super()
    this.setRequestHandler(InitializeRequestSchema, ({ params }): InitializeResult => {
      const { protocolVersion } = params
      const wanted = protocolVersion === WITH_BATCHES ? BEFORE_BATCHES : protocolVersion
      return {
        protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(wanted) ? wanted : LATEST_PROTOCOL_VERSION,
        capabilities: CAPABILITIES,
        serverInfo: about,
        instructions,
      }
    })
  }

  // The methods that this server handles and sends are fixed, so no capability needs a check.
  protected assertCapabilityForMethod(): void {}
  protected assertNotificationCapability(): void {}
  protected assertRequestHandlerCapability(): void {}
  protected assertTaskCapability(): void {}
  protected assertTaskHandlerCapability(): void {}
}
