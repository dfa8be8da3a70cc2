/** The body of a request over uWebSockets.js, which drops bytes without a listener. */

import type { SvcError } from '../../../core/declare/errors.ts'
import { tooLarge } from '../../../core/http/body-limits.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { LARGE_BODY_BYTES } from '../large-body.ts'
import type { UwsResponse } from './addon.ts'
import { writeContinue } from './write.ts'

/** Keeps the chunks of one body until the body is read. */
export class Body {
  /** Announced size in bytes; more than 0. */
  readonly announced: number
  readonly #res: UwsResponse
  /** Most bytes that are kept: at first the largest limit of all routes, then that of the route that reads. */
  #limit: number
  #held: boolean
  #continued = false
  #capturing = false
  #complete = false
  #chunks: Uint8Array[] = []
  /**
   * A large body, as far as it has arrived, once a route reads it: before that the size that a caller announces
   * reserves nothing.
   */
  #whole: Uint8Array | undefined
  #isRead = false
  #size = 0
  #failure: SvcError | undefined
  #changed: (() => void) | undefined

  /** `held`: the client sends the body after a 100. */
  constructor(announced: number, res: UwsResponse, limit: number, held = false) {
    this.announced = announced
    this.#res = res
    this.#limit = limit
    this.#held = held
  }

  /** Whether the client waits for a 100, and may leave its body out if it gets another answer. */
  get held(): boolean {
    return this.#held
  }

  /** Whether a 100 was written, so that the answer needs a status line of its own. */
  get continued(): boolean {
    return this.#continued
  }

  /** Whether the whole body has arrived. */
  get complete(): boolean {
    return this.#complete
  }

  /** Bytes kept so far. */
  get received(): number {
    return this.#size
  }

  /** Begins to keep the body. Must be called before the handler of the server returns. */
  capture(): void {
    if (this.#capturing) return
    this.#capturing = true
    this.#res.onData((data, last) => {
      if (this.#failure === undefined && data.byteLength > 0) this.#keep(data)
      if (last) this.#complete = true
      this.#changed?.()
    })
  }

  /**
   * Returns the whole body if it has at most `limit` bytes.
   * @throws SvcError `payload_too_large`, or the error of `fail`
   */
  read(limit: number): Promise<Uint8Array> {
    if (this.announced > limit) return Promise.reject(tooLarge(limit))
    this.#limit = limit
    this.#isRead = true
    this.capture()
    if (this.#held && this.#failure === undefined) {
      this.#held = false
      this.#continued = true
      this.#res.cork(() => writeContinue(this.#res))
    }
    return new Promise((resolve, reject) => {
      this.#changed = () => {
        if (this.#failure !== undefined) reject(this.#failure)
        else if (this.#complete) {
          const [first] = this.#chunks
          const joined = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
          resolve(this.#whole?.subarray(0, this.#size) ?? joined)
          this.#forget()
        }
      }
      this.#changed()
    })
  }

  /** Drops the rest of the body, and calls `done` once it has arrived. */
  drop(done: () => void): void {
    this.fail(httpFail('client_gone'))
    this.#changed = () => {
      if (this.#complete) done()
    }
    this.#changed()
  }

  /** Ends the body with an error, for present and later readers. */
  fail(error: SvcError): void {
    this.#failure ??= error
    this.#forget()
    this.#changed?.()
  }

  /** Copies a chunk, because the library reuses its memory. */
  #keep(chunk: ArrayBuffer): void {
    const at = this.#size
    this.#size += chunk.byteLength
    if (this.#size > this.#limit) this.fail(tooLarge(this.#limit))
    else if (!this.#isRead || this.announced < LARGE_BODY_BYTES) this.#chunks.push(new Uint8Array(chunk.slice(0)))
    else {
      this.#whole ??= this.#begin()
      this.#whole.set(new Uint8Array(chunk), at)
    }
  }

  /** Reserves the whole body, with the chunks that came before a route read it. */
  #begin(): Uint8Array {
    const whole = Buffer.allocUnsafeSlow(this.announced)
    let at = 0
    for (const chunk of this.#chunks) {
      whole.set(chunk, at)
      at += chunk.byteLength
    }
    this.#chunks = []
    return whole
  }

  #forget(): void {
    this.#chunks = []
    this.#whole = undefined
  }
}
