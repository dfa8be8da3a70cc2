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
      const { protocolVersion: wanted } = params
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
