/** A request whose answer is not sent from within the handler of the server. */

import { closedSink, type Reply } from '../../../core/http/reply.ts'
import type { Clock, Timer } from '../../../core/kernel/environment.ts'
import { transportFail } from '../errors.ts'
import type { UwsResponse } from './addon.ts'
import type { Body } from './body.ts'
import type { Head } from './head.ts'
import { isLarge, sendLarge } from './large-body.ts'
import type { UwsRequest } from './request.ts'
import { UwsSink } from './sink.ts'
import { writeHead, writeReply } from './write.ts'

/** What the exchanges of a server share. */
export interface ExchangeOwner {
  readonly clock: Clock
  readonly bodyTimeoutMs: number
  readonly stopping: () => boolean
  /** Called when the response has ended or was aborted. */
  ended(exchange: Exchange): void
  /** Returns the reply to send in place of one that cannot be written. */
  unwritable(error: unknown): Reply
}

/**
 * Largest announced body in bytes that is read and dropped to keep a connection, if the answer did not need the body.
 */
export const DROPPED_BODY_BYTES = 65_536

/**
 * How long the rest of an unwanted body is read, in milliseconds, before its refusal is sent and the connection closed.
 * Closing while bytes are on their way makes the kernel send a reset, which can overtake the answer.
 */
const LINGER_MS = 1_000

/** The response to one request, from the return of the server's handler on. */
export class Exchange {
  readonly #res: UwsResponse
  readonly #request: UwsRequest
  readonly #owner: ExchangeOwner
  readonly #last: boolean
  /**
   * Whether a large body is sent as the client takes it. The library can end such a response, but not close its
   * connection: it does so for a plain `Connection: close` alone.
   */
  readonly #paced: boolean
  #sink: UwsSink | undefined
  #over = false
  /** Whether an answer is decided. */
  #settled = false
  #timer: Timer
  /** If a large body waits for the client: returns a number that changes when the client takes some. */
  #left: (() => number) | undefined
  #release: (() => void) | undefined
  #seen = { left: -1, atMs: 0 }

  /** Made within the server's handler, while the request is valid. */
  constructor(res: UwsResponse, request: UwsRequest, owner: ExchangeOwner, { last, asked }: Head) {
    this.#res = res
    this.#request = request
    this.#owner = owner
    this.#last = last
    this.#paced = asked || !last
    // Now, because the response cannot be asked once the client is gone.
    void request.peer.address
    res.onAborted(() => {
      this.#done()
      this.#sink?.gone()
      request.abort()
    })
    const { content } = request
    if (content === undefined) return
    content.capture()
    const late = (): void => content.fail(transportFail('request_timeout'))
    this.#timer = owner.clock.setTimeout(late, owner.bodyTimeoutMs)
  }

  /**
   * Sends the reply. If the connection is to be closed after it, the reply waits for the next turn of the event loop.
   * In this turn the library would still serve the next request that it has read from the connection. While a request
   * has no answer, the library closes the connection instead of serving another one.
   */
  settle(reply: Reply): void {
    if (this.#last) setImmediate(() => this.#settle(reply))
    else this.#settle(reply)
  }

  /**
   * Closes the connection of a client that has taken nothing of the last bytes for `patienceMs`, and refuses one that
   * has sent nothing of its body for so long. For a stop.
   */
  hurry(patienceMs: number): void {
    if (this.#over) return
    const body = this.#awaited
    const left = this.#sink?.ending === true ? this.#sink.buffered : (this.#left?.() ?? body?.received)
    if (left === undefined) return
    const nowMs = this.#owner.clock.monotonic()
    if (left !== this.#seen.left) this.#seen = { left, atMs: nowMs }
    else if (nowMs - this.#seen.atMs < patienceMs) return
    else if (body === undefined) this.#res.close()
    else body.fail(transportFail('request_timeout'))
  }

  /** The body, while it is arriving and no answer is decided. */
  get #awaited(): Body | undefined {
    const { content } = this.#request
    return this.#settled || content?.complete === true ? undefined : content
  }

  #settle(reply: Reply): void {
    this.#settled = true
    if (this.#over) {
      reply.stream?.(closedSink)
      return
    }
    const { content } = this.#request
    this.#owner.clock.clearTimeout(this.#timer)
    const unread = content !== undefined && !content.complete
    if (!unread || content.held || (reply.status !== 413 && content.announced <= DROPPED_BODY_BYTES)) {
      // 408, because the rest may never arrive.
      const close = this.#last || this.#owner.stopping() || reply.status === 408 || content?.held === true
      this.#send(reply, close)
      return
    }
    const refuse = (): void => this.#send(reply, true)
    this.#timer = this.#owner.clock.setTimeout(refuse, LINGER_MS)
    content.drop(refuse)
  }

  #send(reply: Reply, close: boolean): void {
    if (this.#over) {
      reply.stream?.(closedSink)
      return
    }
    this.#owner.clock.clearTimeout(this.#timer)
    this.#res.cork(() => {
      try {
        this.#write(reply, close)
      } catch (error) {
        const instead = this.#owner.unwritable(error)
        if (this.#sink !== undefined) this.#res.close()
        else {
          this.#write(instead, close)
          reply.stream?.(closedSink)
        }
      }
    })
  }

  #write(reply: Reply, close: boolean): void {
    const { method, content } = this.#request
    const continued = content?.continued === true
    if (method !== 'HEAD' && reply.stream !== undefined) {
      writeHead(this.#res, reply, continued)
      this.#sink = new UwsSink(this.#res, () => this.#done())
      reply.stream(this.#sink)
    } else if (method !== 'HEAD' && this.#paced && isLarge(reply)) {
      writeHead(this.#res, close ? { ...reply, headers: { ...reply.headers, connection: 'close' } } : reply, continued)
      this.#left = () => -this.#res.getWriteOffset()
      this.#release = sendLarge(this.#res, reply.body, () => this.#done())
    } else {
      writeReply(this.#res, reply, method, close, continued)
      reply.stream?.(closedSink)
      this.#done()
    }
  }

  #done(): void {
    if (this.#over) return
    this.#over = true
    this.#release?.()
    this.#owner.clock.clearTimeout(this.#timer)
    this.#owner.ended(this)
  }
}
