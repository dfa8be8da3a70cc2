/** Writes a plain reply to a uWebSockets.js response. */
import { STATUS_CODES } from 'node:http'
import type { Reply, ReplyHeaders } from '../../../core/http/reply.ts'
import type { UwsResponse } from './addon.ts'

/**
 * Writes `reply` and ends the response, closing the connection where `last` says so. A HEAD request gets the head that
 * GET would get; it is all that is written of a stream.
 * @throws TypeError on a header that would break the head; nothing is written then
 */
export function writeReply(res: UwsResponse, reply: Reply, method: string, last: boolean, continued = false): void {
  const { status, body } = reply
  const block = writeHead(res, reply, continued)
  const bodyless = status === 204 || status === 304 || reply.stream !== undefined
  // A 204 has no length (RFC 9110 section 8.6), except where it must end the connection: the library has no other way.
  if (method !== 'HEAD' && (!bodyless || (last && status === 204))) {
    res.end((body === block.text ? block.body : body) ?? '', last)
    return
  }
  if (!bodyless) res.writeHeader('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  if (last) res.writeHeader('connection', 'close')
  // Without arguments: with any the response would count as unfinished, and the process would be ended for it.
  res.endWithoutBody()
}

/**
 * Writes a 100 (RFC 9110 section 15.2.1). The library has no call for it. The line end that it adds to a status ends
 * the head of the 100, and it writes no second status: {@link writeHead} has to be told.
 */
export function writeContinue(res: UwsResponse): void {
  res.writeStatus('100 Continue\r\n')
}

/**
 * Writes status and headers; gives what is kept of them. `continued`: a 100 was written before.
 * @throws TypeError on a header that would break the head; nothing is written then
 */
export function writeHead(res: UwsResponse, reply: Reply, continued = false): Block {
  const block = toBlock(reply)
  if (!continued) res.writeStatus(block.head)
  else {
    const lines = typeof block.head === 'string' ? block.head : new TextDecoder().decode(block.head)
    // The library writes the name of a field as it is, and so the lines before it.
    const at = lines.indexOf(': ', lines.lastIndexOf('\r\n'))
    if (at < 0) res.writeHeader(`HTTP/1.1 ${lines}\r\nvary`, 'expect')
    else res.writeHeader(`HTTP/1.1 ${lines.slice(0, at)}`, lines.slice(at + 2))
  }
  return block
}

/**
 * Status and headers as one call: the library takes the status as it is, and so the lines behind it. What is kept is
 * kept as bytes; a text it measures and encodes for each answer.
 */
interface Block {
  readonly status: number
  readonly head: string | ArrayBuffer
  /** The body of the reply that never changes, and its bytes. */
  readonly text?: string | undefined
  readonly body?: ArrayBuffer | undefined
}

function toBlock(reply: Reply): Block {
  const { status, headers = none, body } = reply
  const cachedBlock = blocks.get(headers)
  if (cachedBlock?.status === status) return cachedBlock
  let head = toStatus(status)
  for (const name in headers) {
    const value = headers[name]!
    if (!fieldName.test(name) || !fieldValue.test(value)) throw new TypeError(`The header ${name} cannot be sent.`)
    head += `\r\n${name}: ${value}`
  }
  // A frozen object never changes: its block is good for every reply of this status that has it. Most have 200.
  if (!Object.isFrozen(headers) || (cachedBlock !== undefined && status !== 200)) return { status, head }
  const isConstant = typeof body === 'string' && Object.isFrozen(reply)
  const block = {
    status,
    head: toBytes(head),
    text: isConstant ? body : undefined,
    body: isConstant ? toBytes(body) : undefined,
  }
  blocks.set(headers, block)
  return block
}

function toBytes(text: string): ArrayBuffer {
  return new Uint8Array(encoder.encode(text)).buffer
}

function toStatus(status: number): string {
  return statusLines.get(status) ?? `${status} Unknown`
}

const none: ReplyHeaders = Object.freeze({})
const encoder = new TextEncoder()
const blocks = new WeakMap<ReplyHeaders, Block>()
const statusLines = new Map(Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]))
const fieldName = /^[\w!#$%&'*+\-.^`|~]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
