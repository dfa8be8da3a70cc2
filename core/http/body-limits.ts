/** The largest body of a route, and the checks of media type, coding and length before a body is read. */

import type { SvcError } from '../declare/errors.ts'
import { httpFail } from '../kernel/catalogue.ts'
import { escapeHidden } from '../kernel/printable.ts'
import type { SvcRequest } from './request.ts'
import type { BodySpec, RouteSpec } from './route.ts'

/**
 * Largest body of a route in bytes: the value of the setting that the route names, or of `server.max_body_bytes` if it
 * names none, and never more than the `maxBytes` of the route.
 */
export function bodyLimitOf({ body }: Pick<RouteSpec, 'body'>, settings: Readonly<Record<string, unknown>>): number {
  const setting = settings[body?.limit ?? 'server.max_body_bytes'] as number
  return Math.min(setting, body?.maxBytes ?? Infinity)
}

/**
 * Checks the head of a request against the body that its route takes, before the body is read.
 * @throws SvcError `unsupported_media_type`, `payload_too_large`
 */
export function checkBody(request: SvcRequest, { type, optional }: BodySpec, limit: number): void {
  const contentType = (request.header('content-type') ?? '').split(';', 1)[0]!.trim().toLowerCase()
  if (contentType !== type && (optional !== true || request.hasBody)) {
    throw httpFail('unsupported_media_type', { message: `This route takes a body of type ${type}.` })
  }
  const coding = request.header('content-encoding')?.trim().toLowerCase()
  if (coding !== undefined && coding !== 'identity') {
    // RFC 9110 section 15.5.16: the header says that the coding is the reason.
    throw httpFail('unsupported_media_type', {
      message: `A body with the content coding ${escapeHidden(coding.slice(0, 64))} is not accepted; send it without one.`,
      headers: { 'accept-encoding': 'identity' },
    })
  }
  if (Number(request.header('content-length') ?? 0) > limit) throw tooLarge(limit)
}

/** The 413 of a body over `limit` bytes, for transports that notice it while they read. */
export function tooLarge(limit: number): SvcError {
  return httpFail('payload_too_large', { message: `The body is larger than the ${limit} bytes that this route takes.` })
}
