import { refuse } from '../errors.ts'
import { decodeBase64url } from './base64url.ts'
import { type JsonObject, own, parseJsonObject } from './json-object.ts'

/** The parts of the protected header that choose a key. Nothing else of an unverified token is ever looked at. */
interface JwsHeader {
  readonly alg: string
  readonly kid: string | undefined
  readonly typ: string | undefined
}

/** A token in compact serialization whose text is well formed; nothing about it is verified. */
export interface CompactJws {
  /** The whole text. No other text decodes to the same three byte sequences. */
  readonly text: string
  readonly header: JwsHeader
  /** Where the signature begins in `text`; the signing input is all before the dot in front of it. */
  readonly signatureAt: number
  readonly signature: Uint8Array<ArrayBuffer>
  /** To be parsed only after the signature was verified. */
  readonly payload: Uint8Array<ArrayBuffer>
}

/**
 * Reads a compact JWS (RFC 7515 section 7.1) strictly: three segments of unique base64url, a UTF-8 JSON object with
 * unique names as header, `alg` and `kid` strings, no `crit`, since this verifier understands no extension.
 * @throws SvcError `token_malformed`, or `token_algorithm_rejected` where `alg` is not a string
 */
export function readCompactJws(text: string): CompactJws {
  const first = text.indexOf('.')
  const second = text.indexOf('.', first + 1)
  if (first < 1 || second < 0 || text.indexOf('.', second + 1) >= 0) throw refuse('token_malformed')
  const headerBytes = decodeBase64url(text.slice(0, first))
  const payload = decodeBase64url(text.slice(first + 1, second))
  const signature = decodeBase64url(text.slice(second + 1))
  if (headerBytes === null || payload === null || signature === null) throw refuse('token_malformed')
  const header = parseJsonObject(headerBytes)
  if (header === null) throw refuse('token_malformed')
  return { text, header: readHeader(header), signatureAt: second + 1, signature, payload }
}

function readHeader(header: JsonObject): JwsHeader {
  if (Object.hasOwn(header, 'crit')) {
    throw refuse('token_malformed', { message: 'the token demands an extension that is not understood here' })
  }
  const alg = own(header, 'alg')
  const kid = own(header, 'kid')
  const typ = own(header, 'typ')
  if (typeof alg !== 'string') throw refuse('token_algorithm_rejected')
  if (kid !== undefined && typeof kid !== 'string') throw refuse('token_malformed')
  return { alg, kid, typ: typeof typ === 'string' ? typ : undefined }
}
