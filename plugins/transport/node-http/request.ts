/** The light request over an `IncomingMessage`. */
import { IncomingMessage, type ServerResponse } from 'node:http'
import { tooLarge } from '../../../core/http/body-limits.ts'
import { type Peer, SvcRequest } from '../../../core/http/request.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { joinField } from '../fields.ts'
import { LARGE_BODY_BYTES } from '../large-body.ts'
import type { Target } from '../target.ts'

/** A request that node:http has parsed. */
export class NodeRequest extends SvcRequest {
  readonly #message: IncomingMessage
  readonly #response: ServerResponse
  #abort: AbortController | undefined
  #body: Promise<Uint8Array> | undefined
  /** Whether the client waits for a 100 before it sends the body (RFC 9110 section 10.1.1). */
  awaitsContinue: boolean = false

  constructor(message: IncomingMessage, response: ServerResponse, target: Target, peer: Peer, startedMs: number) {
    super(message.method!, target.path, target.query, peer, startedMs)
    this.#message = message
    this.#response = response
  }

  header(name: string): string | undefined {
    return fieldOf(this.#message, name)
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      const abort = new AbortController()
      const response = this.#response
      const gone = (): void => {
        if (!response.writableFinished) abort.abort(httpFail('client_gone'))
      }
      if (response.destroyed) gone()
      else response.once('close', gone)
      this.#abort = abort
    }
    return this.#abort.signal
  }

  protected readBody(): Promise<Uint8Array> {
    this.#body ??= this.#read()
    return this.#body
  }

  #read(): Promise<Uint8Array> {
    const message = this.#message
    const limit = this.bodyLimit
    if (Number(this.header('content-length')) > limit) return Promise.reject(tooLarge(limit))
    if (this.awaitsContinue) {
      this.awaitsContinue = false
      this.#response.writeContinue()
    }
    return new Promise((resolve, reject) => {
      if (message.destroyed && !message.complete) return reject(httpFail('client_gone'))
      const length = Number(this.header('content-length') ?? 0)
      let whole: Buffer | undefined
      const chunks: Uint8Array[] = []
      let size = 0
      message.on('data', (chunk: Uint8Array) => {
        const at = size
        size += chunk.byteLength
        // Not before the first byte: the size that a caller announces reserves nothing.
        if (at === 0 && length >= LARGE_BODY_BYTES) whole = Buffer.allocUnsafeSlow(length)
        if (whole !== undefined && size <= length) whole.set(chunk, at)
        else if (size <= limit) chunks.push(chunk)
        else {
          // Further bytes are read and dropped, until the refusal has reached the client.
          chunks.length = 0
          whole = undefined
          reject(tooLarge(limit))
        }
      })
      // Each event occurs once. `once` would make two more objects for each.
      message.on('end', () => {
        const [first] = chunks
        resolve(whole ?? (first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)))
      })
      message.on('error', (cause) => reject(httpFail('client_gone', { cause })))
      message.on('close', () => {
        // Making an error is expensive, and this would make one for every request.
        if (!message.readableEnded) reject(httpFail('client_gone'))
      })
    })
  }
}

/**
 * A message without a header map. node:http reads `Expect` of each request, and makes a map of all fields for that,
 * which takes longer than most answers. Here the few fields that are read are found in the raw fields.
 */
export class Message extends IncomingMessage {}

Object.defineProperty(Message.prototype, 'headers', {
  get(this: Message) {
    const expect = fieldOf(this, 'expect')
    return expect === undefined ? none : { expect }
  },
})

/** The value of a field by its name in lower case. */
export function fieldOf({ rawHeaders }: IncomingMessage, name: string): string | undefined {
  let value: string | undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const field = rawHeaders[at]!
    if (field.length !== name.length || (field !== name && field.toLowerCase() !== name)) continue
    value = joinField(name, value, rawHeaders[at + 1]!)
  }
  return value
}

const none: Readonly<Record<string, never>> = Object.freeze({})
