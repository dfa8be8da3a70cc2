/** Writes a plain reply to a uWebSockets.js response. */
import { STATUS_CODES } from 'node:http'
import type { Reply, ReplyHeaders } from '../../../core/http/reply.ts'
import type { UwsResponse } from './addon.ts'

/**
 * Writes `reply` and ends the response, closing the connection where `last` says so. A HEAD request gets the head that
 * GET would get; it is all that is written of a stream.
 * @throws TypeError on a header that would break the head; nothing is written then
 */
export function writeReply(res: UwsResponse, reply: Reply, method: string, last: boolean): void {
  const { status, body } = reply
  const block = writeHead(res, reply)
  const bodyless = status === 204 || status === 304 || reply.stream !== undefined
  // A 204 has no length (RFC 9110 section 8.6), except where it must end the connection: the library has no other way.
  if (method !== 'HEAD' && (!bodyless || (last && status === 204))) {
    res.end((body === block?.text ? block?.body : body) ?? '', last)
    return
  }
  if (!bodyless) res.writeHeader('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  if (last) res.writeHeader('connection', 'close')
  // Without arguments: with any the response would count as unfinished, and the process would be ended for it.
  res.endWithoutBody()
}

/**
 * Writes status and headers; gives what is kept of them.
 * @throws TypeError on a header that would break the head; nothing is written then
 */
export function writeHead(res: UwsResponse, reply: Reply): Block | undefined {
  const { status, headers } = reply
  const block = headers === undefined ? undefined : toBlock(headers, reply)
  if (status !== 200) res.writeStatus(toStatus(status))
  if (block !== undefined) res.writeHeader(block.name, block.rest)
  return block
}

/**
 * All headers as one call: the first name, and the rest of the lines as its value. What is kept is kept as bytes, which
 * the library takes as they are; a text it measures and encodes for each answer.
 */
interface Block {
  readonly name: string | ArrayBuffer
  readonly rest: string | ArrayBuffer
  /** The body of the reply that never changes, and its bytes. */
  readonly text?: string | undefined
  readonly body?: ArrayBuffer | undefined
}

function toBlock(headers: ReplyHeaders, reply: Reply): Block | undefined {
  const known = blocks.get(headers)
  if (known !== undefined) return known
  let first = ''
  let rest = ''
  for (const name in headers) {
    const value = headers[name]!
    if (!fieldName.test(name) || !fieldValue.test(value)) throw new TypeError(`The header ${name} cannot be sent.`)
    if (first === '') {
      first = name
      rest = value
    } else rest += `\r\n${name}: ${value}`
  }
  if (first === '') return undefined
  // A frozen object never changes: its block is good for every reply that has it.
  if (!Object.isFrozen(headers)) return { name: first, rest }
  const { body } = reply
  const kept = typeof body === 'string' && Object.isFrozen(reply)
  const block = {
    name: toBytes(first),
    rest: toBytes(rest),
    text: kept ? body : undefined,
    body: kept ? toBytes(body) : undefined,
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

const encoder = new TextEncoder()
const blocks = new WeakMap<ReplyHeaders, Block>()
const statusLines = new Map(Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]))
const fieldName = /^[\w!#$%&'*+\-.^`|~]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
