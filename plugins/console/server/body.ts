/** Reads the bodies of requests as a whole, up to a limit. */
import type { IncomingMessage } from 'node:http'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { isObject } from '../../../core/kernel/values.ts'

/** The largest body of a request that is passed on. The service may have a lower limit. */
const MAX_BODY_BYTES = 8 * 1024 * 1024
/** The largest body of a request to the console itself. */
const MAX_JSON_BYTES = 64 * 1024

/** The members of a body that have not been checked. */
export type Members<Body> = { readonly [Name in keyof Body]?: unknown }

/** The bytes of a body. Throws `payload_too_large` for more than `limit` bytes. */
export async function readBody(request: IncomingMessage, limit: number = MAX_BODY_BYTES): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = Number(request.headers['content-length'] ?? 0) > limit ? limit + 1 : 0
  if (size <= limit)
    // Keep the connection open for the answer, even if the rest of the body is not read.
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > limit) break
      chunks.push(chunk as Buffer)
    }
  if (size > limit) throw httpFail('payload_too_large', { message: `The body is larger than ${limit} bytes.` })
  return Buffer.concat(chunks)
}

/** The members of a JSON object. Throws `malformed_json` for any other body. */
export async function readJsonObject(request: IncomingMessage): Promise<Record<string, unknown>> {
  if (!/^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')) throw httpFail('unsupported_media_type')
  const body = await readBody(request, MAX_JSON_BYTES)
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch {
    value = undefined
  }
  if (!isObject(value)) throw httpFail('malformed_json', { message: 'The body must be a JSON object.' })
  return value
}
