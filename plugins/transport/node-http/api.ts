/** What the node:http transport offers to plugins that listen themselves. */
import type { Peer } from '../../../core/http/request.ts'
import type { Surface } from '../../../core/http/surface.ts'

/** An address of this machine. */
export type OwnAddress =
  | { readonly host: string; readonly port: number }
  | {
      /** Path of a Unix socket; may be a temporary name that `bind` then renames. */
      readonly path: string
      /** The descriptor of a socket that already listens there. Nothing is bound then. */
      readonly fd?: number
    }

/** Where connections come from. */
export type ListenAddress = OwnAddress | { readonly incoming: Incoming }

/** Connections that somebody else takes, and proves, before they are served. */
export interface Incoming {
  /** Begins to take them: `serve` is given each, with who is at its other end. Gives where. Rejects where it cannot. */
  open(serve: (connection: Connection, peer: Peer) => void): Promise<{ readonly text: string; readonly port: number }>
  /** Takes no more. */
  close(): Promise<void>
}

/**
 * A connection that was accepted: a `net.Socket` of Node, or another duplex stream of bytes, named here by what a plugin without
 * Node's types can use. The time of what is no socket, while it is idle, is kept by whoever took it.
 */
export interface Connection {
  readonly remoteAddress?: string | undefined
  destroy(): unknown
}

/** How to listen. */
export interface ListenOptions {
  readonly address: ListenAddress
  /** In the place of the settings of the same names. */
  readonly limits?: {
    readonly headerTimeoutMs?: number
    readonly bodyTimeoutMs?: number
    readonly idleTimeoutMs?: number
  }
  /**
   * Asked for every new connection before a byte of it is read; false closes it. What it throws closes it too, and is
   * logged.
   */
  admit?(connection: Connection): boolean
  /** Calls `listen`, which binds before it returns; what must hold around the bind (umask, rename) goes here. */
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
  /** Closes everything that is left. */
  close(): Promise<void>
}

/** Serves surfaces by node:http. */
export interface HttpServer {
  /** Which surfaces are to listen. */
  readonly mode: 'all' | 'runtime' | 'sync'
  /**
   * Opens a listener for a surface. Its limits are the `server.*` settings.
   * @throws SvcError `ERR_LISTEN_FAILED`
   */
  serve(surface: Surface, options: ListenOptions): Promise<Listener>
}
