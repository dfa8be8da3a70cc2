import { decodeBase64url } from '../../../core/kernel/base64url.ts'
import { refuse } from '../errors.ts'
import { type JsonObject, ownMember, parseJsonObject } from './json-object.ts'

/** The members of the protected header that select a key. Nothing else of an unverified token is used. */
export interface JwsHeader {
  readonly alg: string
  readonly kid: string | undefined
  readonly typ: string | undefined
}

/** A token in compact serialization. Its text is well formed, but nothing is verified. */
export interface CompactJws {
  /** The whole text. No other text decodes to the same three byte sequences. */
  readonly text: string
  readonly header: JwsHeader
  /** Index in `text` at which the signature begins. The signing input ends before the dot in front of it. */
  readonly signatureAt: number
  readonly signature: Uint8Array<ArrayBuffer>
  /** Parse it only after the signature was verified. */
  readonly payload: Uint8Array<ArrayBuffer>
}

/**
 * Reads a compact JWS (RFC 7515 section 7.1) strictly: three segments of canonical base64url, a header that is a UTF-8
 * JSON object with unique names, `alg` and `kid` strings, and no `crit`, because no extension is supported.
 * @throws SvcError `token_malformed`, or `token_algorithm_rejected` if `alg` is not a string
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
    throw refuse('token_malformed', { message: 'the token demands an extension that is not accepted here' })
  }
  const alg = ownMember(header, 'alg')
  const kid = ownMember(header, 'kid')
  const typ = ownMember(header, 'typ')
  if (typeof alg !== 'string') throw refuse('token_algorithm_rejected')
  if (kid !== undefined && typeof kid !== 'string') throw refuse('token_malformed')
  return { alg, kid, typ: typeof typ === 'string' ? typ : undefined }
}
