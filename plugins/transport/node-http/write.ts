/** Writes a plain reply to a `ServerResponse`. */
import type { ServerResponse } from 'node:http'
import { closedSink, type Reply, type StreamSink } from '../../../core/http/reply.ts'
import { largeBody, sendLarge } from './large-body.ts'
import { NodeSink } from './sink.ts'

/** Writes `reply`. A HEAD request gets the head that GET would get. */
export function writeReply(reply: Reply, method: string, response: ServerResponse): void {
  const { status, body } = reply
  if (reply.stream !== undefined) {
    openStream(reply.status, reply.stream, toFields(reply), method, response)
    return
  }
  const bodyless = status === 204 || status === 304
  response.writeHead(status, headOf(reply, bodyless))
  if (bodyless || method === 'HEAD' || body === undefined) {
    response.end()
    return
  }
  const large = largeBody(body)
  if (large === undefined) response.end(body)
  else sendLarge(response, large)
}

function openStream(
  status: number,
  start: (sink: StreamSink) => void,
  fields: string[],
  method: string,
  response: ServerResponse,
): void {
  const chunked = response.req.httpVersion === '1.1'
  if (chunked) fields.push('transfer-encoding', 'chunked')
  // Without a framing the end of the connection is the end of the body (RFC 9112 section 6.3).
  else response.shouldKeepAlive = false
  response.writeHead(status, fields)
  if (method === 'HEAD') {
    response.end()
    start(closedSink)
    return
  }
  response.flushHeaders()
  start(new NodeSink(response, chunked))
}

/** The fields of a plain reply, with its length. The fields of a constant reply are kept. */
function headOf(reply: Reply, bodyless: boolean): string[] {
  const known = heads.get(reply)
  if (known !== undefined) return known
  const fields = toFields(reply)
  if (!bodyless) fields.push('content-length', String(reply.body === undefined ? 0 : Buffer.byteLength(reply.body)))
  if (Object.isFrozen(reply)) heads.set(reply, fields)
  return fields
}

function toFields(reply: Reply): string[] {
  const fields: string[] = []
  const { headers } = reply
  if (headers !== undefined) for (const name in headers) fields.push(name, headers[name]!)
  return fields
}

const heads = new WeakMap<Reply, string[]>()
