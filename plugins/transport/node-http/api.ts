/** The interfaces of the node:http transport for plugins that open listeners. */
import type { Peer } from '../../../core/http/request.ts'
import type { Surface } from '../../../core/http/surface.ts'

/** An address of this machine. */
export type OwnAddress =
  | { readonly host: string; readonly port: number }
  | {
      /** Path of a Unix socket; may be a temporary name that `bind` then renames. */
      readonly path: string
      /** The descriptor of a socket that already listens at the path. Nothing is bound then. */
      readonly fd?: number
    }

/** A source of connections. */
export type ListenAddress = OwnAddress | { readonly incoming: Incoming }

/** Connections that another component accepts and authenticates before they are served. */
export interface Incoming {
  /**
   * Begins to accept connections. `serve` is called with each, and with its peer. Returns the address. Rejects if it
   * cannot listen.
   */
  open(serve: (connection: Connection, peer: Peer) => void): Promise<{ readonly text: string; readonly port: number }>
  /** Accepts no more connections. */
  close(): Promise<void>
}

/**
 * An accepted connection: a `net.Socket` of Node, or another duplex stream of bytes, with the members that a plugin
 * without Node's types can use. The component that accepted a stream other than a socket closes it when it is idle for
 * too long.
 */
export interface Connection {
  readonly remoteAddress?: string | undefined
  destroy(): unknown
}

/** How to listen. */
export interface ListenOptions {
  readonly address: ListenAddress
  /** Replaces the settings of the same names. */
  readonly limits?: {
    readonly headerTimeoutMs?: number
    readonly bodyTimeoutMs?: number
    readonly idleTimeoutMs?: number
  }
  /**
   * Called for every new connection before a byte of it is read. False closes the connection. An error closes it too,
   * and is logged.
   */
  admit?(connection: Connection): boolean
  /** Called with `listen`, which binds before it returns. Work around the bind, such as umask and rename, goes here. */
  readonly bind?: (listen: () => void) => void
}

/** An open listener. */
export interface Listener {
  /** `127.0.0.1:8080`, `[::1]:8080`, or the path of a Unix socket. */
  readonly address: string
  /** The bound port; undefined for a Unix socket. */
  readonly port: number | undefined
  /** Stops accepting, closes idle connections, and resolves when the requests in flight have been answered. */
  drain(): Promise<void>
  /** Closes all connections. */
  close(): Promise<void>
}

/** Serves surfaces by node:http. */
export interface HttpServer {
  /** The surfaces that listen. */
  readonly mode: 'all' | 'runtime' | 'sync'
  /**
   * Opens a listener for a surface. Its limits are the `server.*` settings.
   * @throws SvcError `ERR_LISTEN_FAILED`
   */
  serve(surface: Surface, options: ListenOptions): Promise<Listener>
}
