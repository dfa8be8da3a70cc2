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
  writeHead(res, status, reply.headers)
  const bodyless = status === 204 || status === 304 || reply.stream !== undefined
  // A 204 has no length (RFC 9110 section 8.6), except where it must end the connection: the library has no other way.
  if (method !== 'HEAD' && (!bodyless || (last && status === 204))) {
    res.end(body ?? '', last)
    return
  }
  if (!bodyless) res.writeHeader('content-length', String(body === undefined ? 0 : Buffer.byteLength(body)))
  if (last) res.writeHeader('connection', 'close')
  // Without arguments: with any the response would count as unfinished, and the process would be ended for it.
  res.endWithoutBody()
}

/**
 * Writes status and headers.
 * @throws TypeError on a header that would break the head; nothing is written then
 */
export function writeHead(res: UwsResponse, status: number, headers: ReplyHeaders | undefined): void {
  const block = headers === undefined ? undefined : toBlock(headers)
  if (status !== 200) res.writeStatus(toStatus(status))
  if (block !== undefined) res.writeHeader(block.name, block.rest)
}

/** All headers as one call: the first name, and the rest of the lines as its value. */
interface Block {
  readonly name: string
  readonly rest: string
}

function toBlock(headers: ReplyHeaders): Block | undefined {
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
  const block = { name: first, rest }
  // A frozen object never changes: its block is good for every reply that has it.
  if (Object.isFrozen(headers)) blocks.set(headers, block)
  return block
}

function toStatus(status: number): string {
  return statusLines.get(status) ?? `${status} Unknown`
}

const blocks = new WeakMap<ReplyHeaders, Block>()
const statusLines = new Map(Object.entries(STATUS_CODES).map(([code, text]) => [Number(code), `${code} ${text}`]))
const fieldName = /^[\w!#$%&'*+\-.^`|~]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
