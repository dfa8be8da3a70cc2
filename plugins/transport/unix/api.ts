/** What commands use of the running service of this machine. */
import type {} from '../../../core/declare/plugin.ts'

/**
 * The running service, for commands. Each call rejects with the `code` of a refusal, or with `service_away` if no
 * service answers.
 */
export interface LocalService {
  get<T>(path: string): Promise<T>
  /** Undefined if the status is not 200. */
  getBytes(path: string): Promise<Uint8Array | undefined>
  send<T>(method: 'GET' | 'POST' | 'PUT', path: string, type?: string, body?: string): Promise<T>
}

declare module '../../../core/declare/plugin.ts' {
  interface CommandCapabilities {
    /** Opens the service at a socket, by default at the configured one. */
    LocalService: (socketPath?: string) => LocalService
    /** The path of the socket that the service of these settings listens on. */
    LocalSocket: () => string
    /** Why that socket does not answer, in a sentence, from the error of a request. */
    LocalFailure: (error: unknown) => string
  }
}
