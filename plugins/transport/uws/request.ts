/** The light request over uWebSockets.js. */

import { type Peer, SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { addressText } from '../address.ts'
import { joinField } from '../fields.ts'
import type { UwsResponse } from './addon.ts'
import { Body } from './body.ts'
import type { Field, Head } from './head.ts'

/** A request that uWebSockets.js has parsed. */
export class UwsRequest extends SvcRequest {
  /** What comes behind the head, where a body is announced. */
  readonly content: Body | undefined
  readonly #fields: Field | undefined
  #abort: AbortController | undefined
  #read: Promise<Uint8Array> | undefined
  #gone = false

  /** `captureLimit`: most bytes of a body that are kept before `body()` says how many its route takes. */
  constructor(head: Head, res: UwsResponse, startedMs: number, captureLimit: number) {
    super(head.method, head.path, head.query, new UwsPeer(res), startedMs)
    this.#fields = head.fields
    this.content = head.announced === 0 ? undefined : new Body(head.announced, res, captureLimit, head.waits)
  }

  header(name: string): string | undefined {
    let value: string | undefined
    for (let field = this.#fields; field !== undefined; field = field.next) {
      if (field.name === name) value = joinField(name, value, field.value)
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

  protected readBody(): Promise<Uint8Array> {
    this.#read ??= this.content?.read(this.bodyLimit) ?? Promise.resolve(new Uint8Array(0))
    return this.#read
  }

  /** The client is gone. */
  abort(): void {
    this.#gone = true
    this.content?.fail(httpFail('client_gone'))
    this.#abort?.abort(httpFail('client_gone'))
  }
}

/** The other end of a connection; its address is asked for once, and only if someone wants it. */
class UwsPeer implements Peer {
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
