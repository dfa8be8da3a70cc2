/** The runtime surface of a service, as commands of other families call it. Import types from here, nothing else. */
import type { ClientRequest, OutgoingHttpHeaders } from 'node:http'

/** One request; its path and its headers are sent as they are. */
export interface RuntimeRequest {
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  /** Ends the request, and the connection that is made for it. */
  readonly signal: AbortSignal
}

/** The runtime surface of one service. */
export interface RuntimeClient {
  /**
   * Such as `http://127.0.0.1:8080`. Throws a `CommandRefusal` `runtime_away` if the settings do not say where the
   * service listens.
   */
  origin(): string
  /**
   * Makes a connection and begins a request; the caller ends it. Over TLS to the service of the same settings, that
   * service has proved before that it has the certificate of the settings. Rejects if there is none.
   */
  open(request: RuntimeRequest): Promise<ClientRequest>
}

/** Where runtime surfaces are, and what they are called with. */
export interface RuntimeClients {
  /** The service of the settings. */
  own(): RuntimeClient
  /**
   * The service at an origin. Throws a `UsageError` for an origin to which no credential may be sent; `option` is what
   * named it.
   */
  at(origin: string, option: string): RuntimeClient
  /**
   * The bearer token or API key in a file. Throws a `CommandRefusal` `token_missing` if the file is not this user's
   * alone.
   */
  readToken(file: string): string
  /** The header that carries a bearer token or an API key. */
  credential(token: string): Readonly<Record<string, string>>
}

declare module '../../../core/declare/plugin.ts' {
  interface CommandCapabilities {
    /** Calls the runtime surface of a service. */
    RuntimeClients: RuntimeClients
  }
}
