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
 * The server's side of the SDK's protocol, for tools alone (MCP, "Lifecycle" and "Tools"). The SDK's own `Server` brings a
 * validator that compiles schemas to code, which the executable forbids.
 */
export class BoardServer extends Protocol<ServerRequest, ServerNotification, Result> {
  /** A server that says of itself what `about` says, and gives `instructions` to each client. */
  constructor(about: Implementation, instructions: string) {
    super()
    this.setRequestHandler(InitializeRequestSchema, ({ params }): InitializeResult => {
      const asked = params.protocolVersion
      return {
        protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.includes(asked) ? asked : LATEST_PROTOCOL_VERSION,
        capabilities: CAPABILITIES,
        serverInfo: about,
        instructions,
      }
    })
  }

  // What is handled and sent here is fixed, so that there is nothing to hold against the capabilities of either side.
  protected assertCapabilityForMethod(): void {}
  protected assertNotificationCapability(): void {}
  protected assertRequestHandlerCapability(): void {}
  protected assertTaskCapability(): void {}
  protected assertTaskHandlerCapability(): void {}
}
