/** The body of a request over uWebSockets.js, which drops what nobody listens to. */
import { httpFail } from '../../../core/catalogue.ts'
import type { SvcError } from '../../../core/errors.ts'
import { tooLarge } from '../../../core/http/body/body-limit.ts'
import type { UwsResponse } from './addon.ts'

/** Keeps the pieces of one body until they are asked for. */
export class Body {
  /** Announced size in bytes; over 0. */
  readonly announced: number
  readonly #res: UwsResponse
  /** Most bytes that are kept: of any route at first, of the one that asks as soon as it does. */
  #limit: number
  #capturing = false
  #complete = false
  #chunks: Uint8Array[] = []
  #size = 0
  #failure: SvcError | undefined
  #changed: (() => void) | undefined

  constructor(announced: number, res: UwsResponse, limit: number) {
    this.announced = announced
    this.#res = res
    this.#limit = limit
  }

  /** Whether all of it has arrived. */
  get complete(): boolean {
    return this.#complete
  }

  /** How much of it was kept so far, in bytes. */
  get received(): number {
    return this.#size
  }

  /** Begins to keep it. Must be called before the handler of the server returns. */
  capture(): void {
    if (this.#capturing) return
    this.#capturing = true
    this.#res.onData((data, last) => {
      // The memory is the library's, and gone when this returns.
      if (this.#failure === undefined && data.byteLength > 0) this.#keep(new Uint8Array(data.slice(0)))
      if (last) this.#complete = true
      this.#changed?.()
    })
  }

  /**
   * All of it, where it is at most `limit` bytes.
   * @throws SvcError `payload_too_large`, or what it failed with
   */
  read(limit: number): Promise<Uint8Array> {
    if (this.announced > limit) return Promise.reject(tooLarge(limit))
    this.#limit = limit
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

  /** Drops what still comes of it, and calls `done` once it is over. */
  drop(done: () => void): void {
    this.fail(httpFail('client_gone'))
    this.#changed = () => {
      if (this.#complete) done()
    }
    this.#changed()
  }

  /** Ends it with an error, for whoever reads it or will. */
  fail(error: SvcError): void {
    this.#failure ??= error
    this.#chunks = []
    this.#changed?.()
  }

  #keep(chunk: Uint8Array): void {
    this.#size += chunk.byteLength
    if (this.#size > this.#limit) this.fail(tooLarge(this.#limit))
    else this.#chunks.push(chunk)
  }
}
