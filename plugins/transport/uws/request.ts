/** The light request over uWebSockets.js. */
import { httpFail } from '../../../core/catalogue.ts'
import type { SvcError } from '../../../core/errors.ts'
import { type Peer, SvcRequest } from '../../../core/http/request.ts'
import { tooLarge } from '../../../core/http/surface.ts'
import { addressText } from '../address.ts'
import type { UwsResponse } from './addon.ts'
import type { Head } from './head.ts'

/** A request that uWebSockets.js has parsed. */
export class UwsRequest extends SvcRequest {
  /** Announced size of the body in bytes. */
  readonly announced: number
  readonly #fields: readonly string[]
  readonly #res: UwsResponse
  /** Most bytes of a body that are kept before `body()` says how many its route takes. */
  readonly #captureLimit: number
  #abort: AbortController | undefined
  #body: Promise<Uint8Array> | undefined
  #reading = false
  #gone = false
  #chunks: Uint8Array[] = []
  #size = 0
  #complete = false
  #failure: SvcError | undefined
  #changed: (() => void) | undefined

  constructor(head: Head, res: UwsResponse, peer: Peer, startedMs: number, captureLimit: number) {
    super(head.method, head.path, head.query, peer, startedMs)
    this.announced = head.announced
    this.#fields = head.fields
    this.#res = res
    this.#captureLimit = captureLimit
  }

  header(name: string): string | undefined {
    const fields = this.#fields
    let value: string | undefined
    for (let i = 0; i < fields.length; i += 2) {
      if (fields[i] !== name) continue
      if (value === undefined) value = fields[i + 1]!
      else if (name === 'cookie') value += `; ${fields[i + 1]!}`
      else if (!single.has(name)) value += `, ${fields[i + 1]!}`
    }
    return value
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      if (this.#gone) this.#abort.abort(httpFail('client_gone'))
    }
    return this.#abort.signal
  }

  body(): Promise<Uint8Array> {
    this.#body ??= this.#read()
    return this.#body
  }

  /** Whether all of the body has arrived, or there is none. */
  get complete(): boolean {
    return this.#complete || this.announced === 0
  }

  /**
   * Begins to keep the body. Must be called before the handler of the server returns; the library drops a body that
   * nobody listens to.
   */
  capture(): void {
    if (this.#reading || this.announced === 0) return
    this.#reading = true
    this.#res.onData((data, last) => {
      // The memory is the library's, and gone when this returns.
      if (this.#failure === undefined && data.byteLength > 0) this.#keep(new Uint8Array(data.slice(0)))
      if (last) this.#complete = true
      this.#changed?.()
    })
  }

  /** Drops what still comes of the body, and calls `done` once it is over. */
  drop(done: () => void): void {
    this.#fail(httpFail('client_gone'))
    this.#changed = () => {
      if (this.#complete) done()
    }
    this.#changed()
  }

  /** The body did not come in time. */
  expire(error: SvcError): void {
    this.#fail(error)
  }

  /** The client is gone. */
  abort(): void {
    this.#gone = true
    this.#fail(httpFail('client_gone'))
    this.#abort?.abort(httpFail('client_gone'))
  }

  #keep(chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    // Until the route is known its limit is not.
    const limit = this.bodyLimit === 0 ? this.#captureLimit : this.bodyLimit
    if (this.#size > limit) this.#fail(tooLarge(limit))
    else this.#chunks.push(chunk)
  }

  #fail(error: SvcError): void {
    this.#failure ??= error
    this.#chunks = []
    this.#changed?.()
  }

  #read(): Promise<Uint8Array> {
    const limit = this.bodyLimit
    if (this.announced > limit) return Promise.reject(tooLarge(limit))
    if (this.announced === 0) return Promise.resolve(new Uint8Array(0))
    if (this.#failure !== undefined) return Promise.reject(this.#failure)
    this.capture()
    return new Promise((resolve, reject) => {
      this.#changed = () => {
        if (this.#failure !== undefined) reject(this.#failure)
        else if (this.#complete) {
          resolve(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks))
          this.#chunks = []
        }
      }
      this.#changed()
    })
  }
}

/** The other end of a connection; its address is asked for once, and only if someone wants it. */
export class UwsPeer implements Peer {
  readonly transport = 'tcp'
  #res: UwsResponse | undefined
  #address = ''

  constructor(res: UwsResponse) {
    this.#res = res
  }

  get address(): string {
    if (this.#res !== undefined) {
      this.#address = addressText(this.#res.getRemoteAddress())
      this.#res = undefined
    }
    return this.#address
  }
}

/** Fields of which the first counts; the values of any other are joined, as node:http does it. */
const single: ReadonlySet<string> = new Set([
  'age',
  'authorization',
  'content-length',
  'content-type',
  'etag',
  'expires',
  'from',
  'host',
  'if-modified-since',
  'if-unmodified-since',
  'last-modified',
  'location',
  'max-forwards',
  'proxy-authorization',
  'referer',
  'retry-after',
  'server',
  'user-agent',
])
