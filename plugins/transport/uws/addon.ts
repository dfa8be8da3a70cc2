/**
 * The part of uWebSockets.js that is used here. The package is optional, so its own types may be absent.
 */

/** The addon. */
export interface Uws {
  App(): UwsApp
  us_socket_local_port(listener: object): number
  us_listen_socket_close(listener: object): void
  /** `silent` leaves the server's name out of the answers. */
  _cfg?(key: string): void
}

/** One server. */
export interface UwsApp {
  /** Takes requests of method `GET`, in capitals, before `any` does. */
  get(pattern: string, handler: (res: UwsResponse, req: UwsRequestHead) => void): UwsApp
  any(pattern: string, handler: (res: UwsResponse, req: UwsRequestHead) => void): UwsApp
  /** Sets the handler that is called for every connection that opens (1) and closes (-1). */
  filter(handler: (res: unknown, change: number) => void): UwsApp
  /** `options` 1: the port is exclusive. By default two processes can share a port without an error. */
  listen(host: string, port: number, options: number, done: (listener: object | false) => void): UwsApp
  /** Closes the listener and every connection at once. */
  close(): UwsApp
}

/** The head of a request; valid only until the handler returns. */
export interface UwsRequestHead {
  getCaseSensitiveMethod(): string
  getUrl(): string
  getQuery(): string | undefined
  forEach(visit: (name: string, value: string) => void): void
}

/**
 * A response; it may not be touched after it ended or was aborted. A handler that returns without having ended it or
 * called `onAborted` ends the process.
 */
export interface UwsResponse {
  writeStatus(status: string | ArrayBuffer): UwsResponse
  writeHeader(name: string | ArrayBuffer, value: string | ArrayBuffer): UwsResponse
  /** False: there is backpressure. */
  write(chunk: Uint8Array): boolean
  end(body?: string | Uint8Array | ArrayBuffer, close?: boolean): UwsResponse
  endWithoutBody(): UwsResponse
  /** Closes the connection at once; the handler set by `onAborted` runs. */
  close(): UwsResponse
  /**
   * Sends what the socket takes of a body of `total` bytes. Returns whether it took all, and whether the response is
   * over.
   */
  tryEnd(rest: Uint8Array, total: number): [boolean, boolean]
  /** Bytes of the body that `tryEnd` has taken. */
  getWriteOffset(): number
  onWritable(handler: () => boolean): UwsResponse
  onAborted(handler: () => void): UwsResponse
  onData(handler: (chunk: ArrayBuffer, last: boolean) => void): UwsResponse
  cork(run: () => void): UwsResponse
  getRemoteAddress(): ArrayBuffer
  /**
   * The address in a PROXY protocol header of version 2, which the library takes from every client; empty without one.
   */
  getProxiedRemoteAddress(): ArrayBuffer
}
