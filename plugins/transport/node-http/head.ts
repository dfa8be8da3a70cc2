/** Checks the head of a request for problems that node:http accepts. */
import type { IncomingMessage } from 'node:http'
import type { SvcError } from '../../../core/declare/errors.ts'
import { httpFail } from '../../../core/kernel/catalogue.ts'
import { transportFail } from '../errors.ts'
import { authorityOf, isHost } from '../target.ts'

/** Returns the announced size of the body in bytes, infinite if it is chunked; or the error of the request. */
export type HeadCheck = (message: IncomingMessage) => number | SvcError

/**
 * A check for one listener. It reads the raw fields, so that no header map is made for a request whose headers are not
 * used.
 */
export function createHeadCheck(): HeadCheck {
  // Most clients of a listener use the same name for it.
  let knownHost = ''
  return (message) => {
    const { rawHeaders, httpVersionMajor, httpVersionMinor } = message
    if (httpVersionMajor !== 1 || httpVersionMinor > 1) return transportFail('http_version_not_supported')
    let host: string | undefined
    let hostAt = 0
    let announced = 0
    let framings = 0
    for (let i = 0; i < rawHeaders.length; i += 2) {
      const name = rawHeaders[i]!
      if (name.length === 4 && name.toLowerCase() === 'host') {
        if (host !== undefined) return malformed('There is more than one Host header.')
        hostAt = i + 1
        host = rawHeaders[hostAt]!
      } else if (name.length === 6 && name.toLowerCase() === 'expect') {
        if (rawHeaders[i + 1]!.toLowerCase() !== '100-continue') return transportFail('expectation_failed')
      } else if (name.length === 14 && name.toLowerCase() === 'content-length') {
        announced = Number(rawHeaders[i + 1])
        framings++
      } else if (name.length === 17 && name.toLowerCase() === 'transfer-encoding') {
        // The parser finds out when it comes to the body, which is after a quick handler has answered.
        if (rawHeaders[i + 1]!.toLowerCase() !== 'chunked' || httpVersionMinor === 0) {
          return malformed('The Transfer-Encoding is not one that this server knows.')
        }
        announced = Infinity
        framings++
      }
    }
    if (framings > 1) return malformed('The length of the body is given more than once.')
    if (host === undefined) return httpVersionMinor === 1 ? malformed('The Host header is missing.') : announced
    // The host of an absolute target replaces the field, which is ignored then (RFC 9112 section 3.2.2).
    const authority = authorityOf(message.url!)
    if (authority !== undefined) {
      if (!isHost(authority)) return malformed('The host of the request target is not valid.')
      rawHeaders[hostAt] = authority
    }
    if (host !== knownHost) {
      if (!isHost(host)) return malformed('The Host header is not valid.')
      knownHost = host
    }
    return announced
  }
}

function malformed(message: string): SvcError {
  return httpFail('malformed_request', { message })
}
